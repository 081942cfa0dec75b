// Where a kind lives on the server, and how its URLs are spelled.
#pragma once

#include "kube/core/kind.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot::kube {

// What a request needs to know of a kind. From KindInfo for our own kinds, from discovery for any other.
struct Resource {
  std::string group, version, kind, plural;
  bool namespaced = true;

  [[nodiscard]] static Resource of(const KindInfo& info);
  [[nodiscard]] std::string apiVersion() const;
  [[nodiscard]] std::string name() const;  // "baremetalhosts.metal3.io"
  friend bool operator==(const Resource&, const Resource&) = default;
};

using Query = std::vector<std::pair<std::string, std::string>>;  // empty values are left out

// "/apis/metal3.io/v1alpha1/namespaces/metal3/baremetalhosts?limit=500"; namespace "" is all namespaces.
[[nodiscard]] std::string collectionPath(const Resource& r, std::string_view namespace_, const Query& query = {});
// The same of one object; `subresource` is "status", "scale" or "". Both throw Error{notFound} for names like "..".
[[nodiscard]] std::string objectPath(const Resource& r, const ObjectKey& key, std::string_view subresource = {},
                                     const Query& query = {});

}  // namespace ingot::kube
