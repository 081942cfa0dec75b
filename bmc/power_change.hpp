// A power change that is proved: asked for once, then read back until it is true (spec/bmc.md §6.4).
#pragma once

#include "bmc/capability/power.hpp"

namespace ingot::bmc {

struct PowerChangeLimits {
  base::Duration hard = std::chrono::seconds(120);
  base::Duration soft = std::chrono::seconds(600);
  // After an AC cycle was accepted: until the BMC is gone, and from then until it is back.
  base::Duration untilGone = std::chrono::seconds(120);
  base::Duration untilBack = std::chrono::seconds(600);
};

// The reading is PoweringOn or PoweringOff: it counts as the state that it leads to, but proves nothing.
[[nodiscard]] bool isTransitional(const PowerReading& reading);

struct PowerChange {
  PowerReading reading;      // the last one, read after the command
  bool commandSent = false;  // false: the host was there already
};

// Reads first and sends nothing when the host is there. A hard reboot is off, proved, then on. A restart is
// one request: a BMC that knows none answers Error{unsupported}, and what to do instead is the caller's to say. Never
// sends a command twice; "PoweringOff" is no proof of off. Before the request has left, throws what `host` throws.
// After it, Error{notReached} when the state did not follow in time, Error{outcomeUnknown} when that could not be seen,
// and of a restart only the latter. An NMI goes to a host that reads as on, Error{refused} else, and is done when the
// BMC has accepted it: what the system makes of it is not seen from there. An AC cycle is off, proved, then the
// request, and is done when the BMC was seen to go and to come back; else Error{outcomeUnknown}. Every exchange takes
// its turn in `lane`.
[[nodiscard]] base::Task<PowerChange> changePower(base::Clock& clock, PowerControl& host, Lane lane, PowerAction action,
                                                  PowerChangeLimits limits);

}  // namespace ingot::bmc
