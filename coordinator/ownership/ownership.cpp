#include "coordinator/ownership/ownership.hpp"

namespace ingot::coordinator::ownership {

Owner ownerOf(const Situation& situation) {
  if (situation.ironic && situation.ironic->busy) return Owner::ironic;
  if (situation.agentsOnly) return situation.paused ? Owner::nobody : Owner::agent;
  const auto state = situation.hostState;
  // The way out of a host, while it is switched off and Ironic is left alone: who serves it does that.
  const bool goes = state == api::ProvisioningState::poweringOffBeforeDelete;
  const bool stays = state && rests(*state) && !situation.beingDeleted;
  const bool mayBeLent =
      state == api::ProvisioningState::provisioning || state == api::ProvisioningState::deprovisioning;
  const bool isLent = situation.ironic && situation.ironic->isLent && mayBeLent;
  if (!goes && !stays && !isLent) return Owner::ironic;  // about to be asked
  if (situation.paused) return Owner::nobody;
  if (situation.ironic && !situation.ironic->current) return Owner::nobody;
  return Owner::agent;
}

}  // namespace ingot::coordinator::ownership
