// What a BMC has logged of a host (spec/bmc.md §13.1, §15.4). Agents tell it, the coordinator shows it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ingot::bmc {

struct LogEntry {
  std::string id;        // the BMC's own; another entry may get it once the log was cleared
  std::string created;   // RFC 3339, in UTC; "" where the BMC does not know
  std::string severity;  // OK | Warning | Critical; "" when not told
  std::string message;

  static void describe(auto& v) {
    v.field("id", &LogEntry::id).required();
    v.field("created", &LogEntry::created);
    v.field("severity", &LogEntry::severity);
    v.field("message", &LogEntry::message);
  }
  friend bool operator==(const LogEntry&, const LogEntry&) = default;
};

constexpr std::size_t mostLogEntries = 128;  // of one log: the latest

// How far somebody has read a log.
struct LogPosition {
  std::string id, created;  // of the last entry; "" for a log that was empty

  static void describe(auto& v) {
    v.field("id", &LogPosition::id);
    v.field("created", &LogPosition::created);
  }
  friend bool operator==(const LogPosition&, const LogPosition&) = default;
};

struct LogTail {
  std::string log;   // "/redfish/v1/Systems/1/LogServices/SEL", "SEL"
  std::string mark;  // of how the log stands: as long as it is the same, so is the log
  // The latest, oldest first; nullopt: it stands at the mark that was given, and was not read.
  std::optional<std::vector<LogEntry>> entries;
};

[[nodiscard]] LogPosition endOf(const std::vector<LogEntry>& entries);

// Index of the first entry that came after `read`, in a log that may have been cleared since, or has dropped its
// oldest. Oldest first.
[[nodiscard]] std::size_t firstAfter(const std::vector<LogEntry>& entries, const LogPosition& read);

// Calls `use` with each text that the BMC has written.
void eachText(LogTail& tail, auto use) {
  use(tail.log);
  if (!tail.entries) return;
  for (auto& entry : *tail.entries) use(entry.id), use(entry.severity), use(entry.message);
}

}  // namespace ingot::bmc
