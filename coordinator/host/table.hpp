// The host state machine on one screen: what runs in each state, which states take one of the backend's slots, and
// what each may become. docs/host-states.md is generated from it.
#pragma once

#include "coordinator/host/scope.hpp"

#include <span>

namespace ingot::coordinator::host {

using Handler = base::Task<Step> (*)(Scope&);

struct Row {
  State state;
  Handler handler;
  bool takesSlot;  // entered only while the backend has a slot free
  std::span<const State> mayBecome;

  [[nodiscard]] bool allows(State next) const;
};

[[nodiscard]] std::span<const Row> table();
[[nodiscard]] const Row& rowOf(State state);

// The transitions as a Mermaid state diagram.
[[nodiscard]] std::string diagram();

}  // namespace ingot::coordinator::host
