// The stream of events of a BMC (text/event-stream).
#pragma once

#include "net/server.hpp"
#include "sim/machine/machine.hpp"
#include "sim/redfish/reply.hpp"
#include "sim/redfish/state.hpp"

#include <optional>
#include <string_view>

namespace ingot::sim::redfish {

[[nodiscard]] bool isEventStream(std::string_view path);
// nullopt: there is room for one more.
[[nodiscard]] std::optional<Reply> whyNoStream(const State& state);
// What comes into the machine's log from now on, until the client goes away.
[[nodiscard]] base::Task<void> pushEvents(Machine& machine, State& state, net::Responder& out);

}  // namespace ingot::sim::redfish
