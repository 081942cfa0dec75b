// Tells as an Event that the hardware of a host is not what it was.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "bmc/model/inventory_changes.hpp"
#include "kube/runtime/event_recorder.hpp"

namespace ingot::coordinator::agents {

// HardwareChanged, a warning where something is gone; none without changes.
void tellChanges(kube::EventRecorder& events, const api::BareMetalHost& host, const bmc::InventoryChanges& changes);

}  // namespace ingot::coordinator::agents
