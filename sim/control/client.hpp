// The command line's side of the control interface. Each prints to standard output and returns the exit code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ingot::sim::control {

struct ControlEndpoint {
  std::string url;  // of a running simulator
};

// Throws base::Error when no simulator answers or it refuses.
[[nodiscard]] int showMachines(const ControlEndpoint& endpoint, bool asJson);
[[nodiscard]] int showJournal(const ControlEndpoint& endpoint, std::int64_t since, const std::string& machine,
                              bool asJson);
[[nodiscard]] int setFault(const ControlEndpoint& endpoint, const std::string& machine, const std::string& fault,
                           bool on, int seconds);
// Into the log of the machine's BMC.
[[nodiscard]] int logEvent(const ControlEndpoint& endpoint, const std::string& machine, const std::string& severity,
                           const std::string& message);
[[nodiscard]] int chassis(const ControlEndpoint& endpoint, const std::string& machine,
                          const std::vector<std::string>& words);

}  // namespace ingot::sim::control
