// `ipmitool sel info` and `ipmitool -c sel elist` (spec/bmc.md §15.4). Pure.
#pragma once

#include "bmc/model/log.hpp"

#include <string_view>

namespace ingot::bmc::ipmi {

// How many entries `sel info` tells of; 0 where it does not say.
[[nodiscard]] std::size_t entriesOfSel(std::string_view output);

// Changes when an entry comes or the log is cleared; "" for what is no answer of `sel info`.
[[nodiscard]] std::string markOfSel(std::string_view output);

// In the order of the log: oldest first. IPMI knows no severity: of what a threshold, a fault or a memory error says it
// is told, and of others not. Rows of another form are left out.
[[nodiscard]] std::vector<LogEntry> parseSel(std::string_view output);

}  // namespace ingot::bmc::ipmi
