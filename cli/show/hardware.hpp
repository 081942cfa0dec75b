// What an inspection has found, as lines for people.
#pragma once

#include "api/bmh/baremetalhost.hpp"

#include <string>

namespace ingot::cli {

// "  CPU      8 x x86_64 …", a line each.
[[nodiscard]] std::string hardwareLines(const api::HardwareDetails& hardware);

}  // namespace ingot::cli
