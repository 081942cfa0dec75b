// The stream of events of a BMC (text/event-stream).
#pragma once

#include "base/runtime.hpp"
#include "net/client.hpp"
#include "net/server.hpp"
#include "sim/machine/machine.hpp"
#include "sim/redfish/state.hpp"

#include <string>

namespace ingot::sim::redfish {

// What comes into the machine's log from now on, until the client goes away or its account may not have it any longer.
[[nodiscard]] base::Task<void> pushEvents(Machine& machine, State& state, std::string accountId, net::Responder& out);

// The same, posted to the subscription of this id until that is gone. One whose destination fails three times in a row
// is removed.
[[nodiscard]] base::Task<void> pushEventsTo(base::Runtime runtime, Machine& machine, State& state, std::string id,
                                            net::HttpTransport& transport);

}  // namespace ingot::sim::redfish
