// Who may change a host's power, boot or disks now (docs/architecture.md). Derived at each call, never stored. Pure.
#pragma once

#include "api/bmh/provisioning_state.hpp"

#include <optional>

namespace ingot::coordinator::ownership {

enum class Owner {
  ironic,  // at work on the host, or about to be asked
  agent,
  nobody,  // nothing is known well enough: readings only
};

// What is known of Ironic's side of one host.
struct IronicView {
  bool busy = false;     // transient state, a target, a reservation; or asked and not yet heard of
  bool current = false;  // seen after the last request that we sent for this host
  bool isLent = false;   // Ironic leaves the machine to an agent, although the state of the host says otherwise
};

struct Situation {
  std::optional<api::ProvisioningState> hostState;  // nullopt: one that this version does not know
  bool beingDeleted = false;
  bool paused = false;
  bool agentsOnly = false;           // there is no backend: agents do all of it
  std::optional<IronicView> ironic;  // nullopt: no Ironic in this installation, or no node for the host yet
};

// An agent may act only while the host rests between Ironic's works.
[[nodiscard]] Owner ownerOf(const Situation& situation);

}  // namespace ingot::coordinator::ownership
