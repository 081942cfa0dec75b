// Which Node of the workload cluster a machine has become (spec/capm3.md §13). Pure.
#pragma once

#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "coordinator/workload/node_view.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ingot::coordinator::machine {

using api::capm3::v1beta2::Metal3Machine;

// metal3://<namespace>/<host>/<machine>, of the host that its annotation names. Throws MachineError(hostLink).
[[nodiscard]] std::string providerIdOf(const Metal3Machine& machine);

// The host in such a providerID; nullopt: it has another form.
[[nodiscard]] std::optional<kube::ObjectKey> hostNamedBy(std::string_view providerId);

struct NodeWish {
  const Metal3Machine& machine;
  std::string hostUid;
  bool cloudProvider = false;  // somebody else gives Nodes their providerIDs
  bool bootstrapped = true;    // a bootstrap provider makes its Node
};

struct NodeMatch {
  std::string providerId;              // that the machine gets
  const kube::Node* toName = nullptr;  // the Node that gets it too; nullptr: it has it, or it is not there yet
};

// Whether it is looked for by the machine's host names: no bootstrap provider makes it, and none has the host's label.
[[nodiscard]] bool isByHostname(const workload::NodeView& nodes, const NodeWish& wish);

// Throws MachineError(waiting) while there is none, MachineError(node) where it cannot be told which, or where it is
// another machine's.
[[nodiscard]] NodeMatch matchNode(const workload::NodeView& nodes, const NodeWish& wish);

}  // namespace ingot::coordinator::machine
