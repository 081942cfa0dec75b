// What agents have read of hosts, as coordinator/readings shows it, as tables. Anything else than is expected in a
// document is left out.
#pragma once

#include "base/clock.hpp"
#include "cli/show/text_table.hpp"
#include "json/value.hpp"

#include <vector>

namespace ingot::cli {

// `documents`: a HostSensors or HostLogs each; of more than one the host is shown, too.
[[nodiscard]] TextTable sensorTable(const std::vector<json::Value>& documents);
// In the order in which things happened, those without a time after the one before them.
[[nodiscard]] TextTable logTable(const std::vector<json::Value>& documents);

// "node01: read 2m ago; cannot be read, for 1h: …; not read: …"; of logs only that they cannot be read, "" where they
// can.
[[nodiscard]] std::string readingNote(const json::Value& document, base::WallTime now);

}  // namespace ingot::cli
