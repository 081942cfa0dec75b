// What each part of the coordinator asks of the Kubernetes API. The roles of an installation are made of it
// (manifestgen, deploy/rbac), so that a right that is missing here is missing there.
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
  // None: what sends reviews to webhooks, and only where the coordinator makes their certificate (--webhook-certs
  // self).
  webhooks,
  // None: kinds of which objects are brought to the present version, and these, in all namespaces.
  migration,
};

struct Right {
  std::optional<Part> part;  // nullopt: of each coordinator, whatever works in it
  Reach reach = Reach::watched;
  std::string_view group;     // "" for the core group
  std::string_view resource;  // "baremetalhosts", "baremetalhosts/status"
  std::vector<std::string_view> verbs;
  std::vector<std::string> names = {};  // of the only objects that are meant; empty: all
};

// In the order of parts. The same resource may be there for several of them.
[[nodiscard]] std::span<const Right> rights();

}  // namespace ingot::coordinator::rights
