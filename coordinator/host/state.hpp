// The states of a host, under the names that the state machine uses.
#pragma once

#include "api/bmh/provisioning_state.hpp"

namespace ingot::coordinator::host {

using State = api::ProvisioningState;
using api::carriesSystem;
using api::parseProvisioningState;
using api::rests;
using api::text;

}  // namespace ingot::coordinator::host
