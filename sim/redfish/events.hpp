// The stream of events of a BMC (text/event-stream).
#pragma once

#include "net/server.hpp"
#include "sim/machine/machine.hpp"
#include "sim/redfish/state.hpp"

#include <string>

namespace ingot::sim::redfish {

// What comes into the machine's log from now on, until the client goes away or its account may not have it any longer.
[[nodiscard]] base::Task<void> pushEvents(Machine& machine, State& state, std::string accountId, net::Responder& out);

}  // namespace ingot::sim::redfish
