#include "coordinator/ownership/ownership.hpp"

#include <algorithm>
#include <array>

namespace ingot::coordinator::ownership {

namespace {

constexpr std::array<std::string_view, 4> restfulStates{"available", "ready", "provisioned", "externally provisioned"};

}  // namespace

bool restful(std::string_view hostState) { return std::ranges::find(restfulStates, hostState) != restfulStates.end(); }

Owner ownerOf(const Situation& situation) {
  if (situation.ironic && situation.ironic->busy) return Owner::ironic;
  if (!restful(situation.hostState) || situation.beingDeleted) return Owner::ironic;  // about to be asked
  if (situation.paused) return Owner::nobody;
  if (situation.ironic && !situation.ironic->current) return Owner::nobody;
  return Owner::agent;
}

}  // namespace ingot::coordinator::ownership
