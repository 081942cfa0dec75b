// status.operationHistory: when the register, inspect, provision and deprovision work of a host began and ended. Pure.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "coordinator/host/journal.hpp"

namespace ingot::coordinator::host {

void begin(api::BareMetalHost& host, Operation operation, base::WallTime now);
// False when it was not under way.
bool end(api::BareMetalHost& host, Journal& journal, Operation operation, base::WallTime now);

// The work that belongs to a state, when there is any, begins on entering and ends on leaving it.
void enter(api::BareMetalHost& host, State state, base::WallTime now);
void leave(api::BareMetalHost& host, Journal& journal, State state, base::WallTime now);

}  // namespace ingot::coordinator::host
