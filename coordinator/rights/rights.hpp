// What each part of the coordinator asks of the Kubernetes API. The roles of an installation are made of it (rbacgen,
// deploy/rbac), so that a right that is missing here is missing there.
#pragma once

#include "coordinator/parts.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace ingot::coordinator::rights {

// In which namespaces.
enum class Reach : std::uint8_t {
  cluster,  // none: objects of the cluster
  watched,  // where hosts and machines live
  own,      // the coordinator's
};

struct Right {
  std::optional<Part> part;  // nullopt: of each coordinator, whatever works in it
  Reach reach = Reach::watched;
  std::string_view group;     // "" for the core group
  std::string_view resource;  // "baremetalhosts", "baremetalhosts/status"
  std::vector<std::string_view> verbs;
};

// In the order of parts. The same resource may be there for several of them.
[[nodiscard]] std::span<const Right> rights();

}  // namespace ingot::coordinator::rights
