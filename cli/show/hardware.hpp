// What an inspection has found, as lines for people.
#pragma once

#include "api/bmh/baremetalhost.hpp"

#include <string>

namespace ingot::cli {

// "  CPU      8 x x86_64 …", a line each.
[[nodiscard]] std::string hardwareLines(const api::HardwareDetails& hardware);

// What an agent has read beyond that: links, firmware, PCIe devices, and of components those that are not OK.
// `inventory`: a HostInventory of coordinator/readings. Anything else than is expected in it is left out.
[[nodiscard]] std::string readHardwareLines(const json::Value& inventory);

}  // namespace ingot::cli
