#include "coordinator/ownership/ownership.hpp"

#include <algorithm>
#include <array>

namespace ingot::coordinator::ownership {

namespace {

constexpr std::array<std::string_view, 4> restfulStates{"available", "ready", "provisioned", "externally provisioned"};

// The way out of a host, while it is switched off and Ironic is left alone: who serves it does that.
constexpr std::string_view lastPowerOff = "powering off before delete";

}  // namespace

bool restful(std::string_view hostState) { return std::ranges::find(restfulStates, hostState) != restfulStates.end(); }

Owner ownerOf(const Situation& situation) {
  if (situation.ironic && situation.ironic->busy) return Owner::ironic;
  const bool goes = situation.hostState == lastPowerOff;
  if (!goes && (!restful(situation.hostState) || situation.beingDeleted)) return Owner::ironic;  // about to be asked
  if (situation.paused) return Owner::nobody;
  if (situation.ironic && !situation.ironic->current) return Owner::nobody;
  return Owner::agent;
}

}  // namespace ingot::coordinator::ownership
