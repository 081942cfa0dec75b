// A port for a program that cannot be told to choose one itself.
#pragma once

#include <string>

namespace ingot::sim {

// Free a moment ago. Throws base::Error when the address is none of this machine.
[[nodiscard]] int freeUdpPort(const std::string& address);

}  // namespace ingot::sim
