// What a request to Kubernetes is about, read from its URL.
#pragma once

#include "kube/core/object_key.hpp"

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace ingot::coordinator::shadow {

struct Target {
  std::string resource;  // "baremetalhosts.metal3.io", "secrets"
  kube::ObjectKey key;   // no name: all of them
  std::string subresource;

  friend bool operator==(const Target&, const Target&) = default;
};

// `target`: path and query. nullopt: no path below which Kubernetes keeps objects.
[[nodiscard]] std::optional<Target> targetOf(std::string_view target);

// Whether a request with this target reaches what runs behind an object: a GET of it may do anything. True also for
// paths that servers may read as other ones than they seem to be.
[[nodiscard]] bool reachesThrough(std::string_view target);

// One of a kind in one cluster.
struct ObjectId {
  std::string cluster;  // its server; "" for the management cluster
  std::string resource;
  kube::ObjectKey key;

  [[nodiscard]] std::string text() const;  // for people
  friend auto operator<=>(const ObjectId&, const ObjectId&) = default;
};

}  // namespace ingot::coordinator::shadow
