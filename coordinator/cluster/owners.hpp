// References by kind and group, whatever the version: how controllers of Cluster API's family name each other.
#pragma once

#include "kube/core/kind.hpp"

#include <algorithm>
#include <string_view>

namespace ingot::coordinator::cluster {

// "cluster.x-k8s.io" of "cluster.x-k8s.io/v1beta2"; "" of "v1".
[[nodiscard]] inline std::string_view groupOf(std::string_view apiVersion) {
  const auto slash = apiVersion.find('/');
  return slash == std::string_view::npos ? std::string_view() : apiVersion.substr(0, slash);
}

// Of an owner reference or an object reference.
[[nodiscard]] bool refersTo(const auto& reference, const kube::KindInfo& kind) {
  return reference.kind == kind.kind && groupOf(reference.apiVersion) == kind.group;
}

// The first owner of this kind; nullptr: none.
[[nodiscard]] inline const kube::OwnerReference* ownerOfKind(const kube::ObjectMeta& metadata,
                                                             const kube::KindInfo& kind) {
  const auto& all = metadata.ownerReferences;
  const auto found = std::ranges::find_if(all, [&](const auto& owner) { return refersTo(owner, kind); });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace ingot::coordinator::cluster
