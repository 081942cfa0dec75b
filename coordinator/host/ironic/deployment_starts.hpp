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
  // The deployment that began at `begun` is asked for; only the first time tells how the node looked. `begun` does no
  // more than tell one attempt from another.
  void note(const ironic::Node& node, base::WallTime begun) {
    auto& start = all_.try_emplace(node.uuid, Start{begun, node.provisionUpdatedAt}).first->second;
    if (start.begun != begun) start = {begun, node.provisionUpdatedAt};
  }
  // The node has changed its provision state since the deployment that was noted last was first asked for.
  [[nodiscard]] bool hasMoved(const ironic::Node& node) const {
    const auto start = all_.find(node.uuid);
    return start != all_.end() && start->second.provisionUpdatedAt != node.provisionUpdatedAt;
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
