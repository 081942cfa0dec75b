// The command line's side of the control interface. Each prints to standard output and returns the exit code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ingot::sim::control {

struct Where {
  std::string url;  // of a running simulator
};

// Throws base::Error when no simulator answers or it refuses.
[[nodiscard]] int showMachines(const Where& where, bool asJson);
[[nodiscard]] int showJournal(const Where& where, std::int64_t since, const std::string& machine, bool asJson);
[[nodiscard]] int setFault(const Where& where, const std::string& machine, const std::string& fault, bool on,
                           int seconds);
[[nodiscard]] int chassis(const Where& where, const std::string& machine, const std::vector<std::string>& words);

}  // namespace ingot::sim::control
