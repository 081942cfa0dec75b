// How a node looked when a deployment of it was first asked for: what it failed in before is not that deployment's
// failure. Only Ironic's own times are compared, with each other: its clock and ours need not agree. A coordinator that
// starts anew takes what it sees first for what was there before.
#pragma once

#include "base/clock.hpp"
#include "ironic-client/node.hpp"

#include <map>
#include <string>

namespace ingot::coordinator::host::ironic_backend {

class DeploymentStarts {
 public:
  // The node has changed its provision state since the deployment that began at `begun` (which only tells one attempt
  // from another) was first asked for.
  [[nodiscard]] bool hasMoved(const ironic::Node& node, base::WallTime begun) {
    auto& start = all_.try_emplace(node.uuid, Start{begun, node.provisionUpdatedAt}).first->second;
    if (start.begun != begun) start = {begun, node.provisionUpdatedAt};
    return start.provisionUpdatedAt != node.provisionUpdatedAt;
  }
  // The deployment is over, or the node is gone.
  void forget(const std::string& node) { all_.erase(node); }

 private:
  struct Start {
    base::WallTime begun;
    std::string provisionUpdatedAt;
  };
  std::map<std::string, Start> all_;  // by UUID
};

}  // namespace ingot::coordinator::host::ironic_backend
