// The host of a Metal3Machine, as its annotation metal3.io/BareMetalHost names it (spec/capm3.md §2.3).
#pragma once

#include "api/capm3/names.hpp"
#include "kube/core/object_meta.hpp"

#include <optional>
#include <string>

namespace ingot::api::capm3 {

// Beside the machine: readers ignore the namespace in the annotation, "<namespace>/<name>". nullopt: it is not there,
// or names no host. Whoever may write machines has written it, so it never throws.
[[nodiscard]] inline std::optional<kube::ObjectKey> linkedHostOf(const kube::ObjectMeta& machine) {
  const std::string* link = machine.annotation(std::string(annotation::host));
  if (link == nullptr) return std::nullopt;
  const auto slash = link->find('/');
  std::string name = slash == std::string::npos ? *link : link->substr(slash + 1);
  if (name.empty() || name.find('/') != std::string::npos) return std::nullopt;
  return kube::ObjectKey{machine.namespace_, std::move(name)};
}

}  // namespace ingot::api::capm3
