// Metal3's managers that Ingot replaces, and by what one knows in a cluster that they are there. Two that act on the
// same objects undo each other's work, power included.
#pragma once

#include "coordinator/parts.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace ingot::coordinator::managers {

struct Manager {
  std::string_view name;
  std::string_view deployment;                   // as in Metal3's manifests, in whatever namespace
  std::string_view lease;                        // by which its replicas elect a leader, in the namespace of its pods
  std::span<const std::string_view> namespaces;  // where its manifests put it
  std::string_view group, resource;              // that nobody but such a manager may change everywhere
};

// Those that do what one of these parts does.
[[nodiscard]] std::vector<Manager> managersOf(const Parts& parts);

}  // namespace ingot::coordinator::managers
