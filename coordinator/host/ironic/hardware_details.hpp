// What Ironic's inspection stored → HardwareDetails (spec/ironic.md §7). Pure; never throws: what is missing or of an
// unexpected type reads as nothing.
#pragma once

#include "api/bmh/hardware_details.hpp"
#include "ironic-client/node.hpp"

namespace ingot::coordinator::host::ironic_backend {

[[nodiscard]] api::HardwareDetails hardwareDetails(const ironic::Inventory& inventory);

}  // namespace ingot::coordinator::host::ironic_backend
