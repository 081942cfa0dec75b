// What to do about a host's power (spec/baremetalhost.md §8.11). Pure.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "coordinator/host/power_backend.hpp"
#include "coordinator/host/reboot.hpp"
#include "coordinator/host/state.hpp"

namespace ingot::coordinator::host {

enum class PowerMove {
  none,        // as wanted
  wait,        // not known: nothing may be changed on a guess
  record,      // seen to differ from the status: save that first
  dropReboot,  // off as the reboot wanted: take its annotation off, which turns it on again
  turnOn,
  turnOff,  // of a host that must not be off: restart, once
  refuse,   // it must not be off, and is wanted so: `why`
};

struct PowerPlan {
  PowerMove move = PowerMove::none;
  RebootMode mode = RebootMode::soft;
  bool rebooting = false;
  std::string why = {};
};

// This error is the reason of a PowerMove::refuse.
[[nodiscard]] bool refusesOff(const api::BareMetalHost& host);

// `seen`: the power as just read.
[[nodiscard]] PowerPlan planPower(const api::BareMetalHost& host, State state, std::optional<bool> seen);

}  // namespace ingot::coordinator::host
