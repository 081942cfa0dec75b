// What members of hardware.hpp amount to, whatever a BMC has written there. Pure.
#pragma once

#include "bmc/model/component.hpp"
#include "bmc/redfish/hardware.hpp"

#include <cstdint>
#include <string>

namespace ingot::bmc::redfish {

// 0 for what is no number, or negative.
[[nodiscard]] std::int64_t whole(const Fact<double>& number);

// Trimmed, and no longer than anything that has a meaning: what is kept of a large document is small.
[[nodiscard]] std::string textOf(const Fact<std::string>& fact);
[[nodiscard]] std::string firstTextOf(std::initializer_list<Fact<std::string>> facts);  // that is not empty

[[nodiscard]] bool isAbsent(const Fact<Status>& status);
[[nodiscard]] std::string healthTextOf(const Fact<Status>& status);  // OK | Warning | Critical; "" when not told

[[nodiscard]] Component componentOf(std::string_view kind, const Fact<std::string>& path, std::string name,
                                    const Fact<Status>& status);

// "2026-01-31" of a time that begins so; "" for anything else, and for what a clock that was never set has made.
[[nodiscard]] std::string dayOf(const Fact<std::string>& time);

// There is a drive in the bay.
[[nodiscard]] bool isPresent(const Drive& drive);
[[nodiscard]] std::string kindOf(const Drive& drive);  // HDD | SSD | NVME | ""

}  // namespace ingot::bmc::redfish
