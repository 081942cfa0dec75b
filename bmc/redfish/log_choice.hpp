// Which of a BMC's logs tells what has happened to the hardware (spec/bmc.md §13.1). Pure.
#pragma once

#include "bmc/redfish/error_body.hpp"
#include "bmc/redfish/log_resources.hpp"

namespace ingot::bmc::redfish {

// Those that say that they are a SEL; where none does, the first that vendors call one, by its Id. What is switched off
// or has no entries is none of them.
[[nodiscard]] std::vector<LogService> chooseLogs(std::vector<LogService> services);

// As Kubernetes' and our own words have it: OK, Warning, Critical, or "".
[[nodiscard]] std::string severityOf(const LogEntryResource& entry);
// In UTC; "" for what is no time.
[[nodiscard]] std::string createdOf(const LogEntryResource& entry);
[[nodiscard]] std::string messageOf(const LogEntryResource& entry);
// What it names a message by where it has no words of its own.
[[nodiscard]] std::optional<UnresolvedMessage> wordlessIn(const LogEntryResource& entry);

// The latest comes first: by their numbers, else by when they were made.
[[nodiscard]] bool isNewestFirst(const std::vector<LogEntryResource>& entries);

}  // namespace ingot::bmc::redfish
