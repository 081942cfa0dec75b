// What the BMCs of hosts have logged, the latest of each, as agents tell it; in memory only (spec/bmc.md §13.1, §19.3).
// The BMC keeps the log, and the agent how far it was told.
#pragma once

#include "base/pace.hpp"
#include "bmc/model/log.hpp"
#include "bmc/model/power.hpp"
#include "kube/core/object_key.hpp"
#include "wire/messages.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ingot::coordinator::agents {

// News of one log for people.
struct LogNews {
  std::vector<bmc::LogEntry> shown;  // warnings and worse, the worst first
  std::size_t withheld = 0;          // further ones, of this time and before, that were too many
};

class LogBook {
 public:
  static constexpr std::size_t mostKept = 64;          // entries of one log …
  static constexpr std::size_t mostEntries = 100'000;  // … fewer, each the same, where all together had more …
  static constexpr std::size_t leastKept = 8;          // … but so many
  static constexpr std::size_t mostLogs = 8;           // of one host

  // News: what no coordinator has acknowledged, and this one has not seen. Of one host at most 5 of each
  // severity at a time are shown, then one in a quarter of an hour: a host has Events of its own to tell. `facts`: an
  // agent of ours sends no long texts and lists; of one that has gone wrong so much is kept as a host can have.
  [[nodiscard]] LogNews take(const std::string& uid, const kube::ObjectKey& host, wire::LogFacts facts,
                             base::MonoTime now);
  void forget(const std::string& uid);

  // nullptr: nothing was told of the host. By the log's name.
  using Logs = std::map<std::string, std::vector<bmc::LogEntry>>;  // oldest first
  [[nodiscard]] const Logs* find(const kube::ObjectKey& host) const;

  // Family bmh_log_entries_total: news since this process leads and the BMC has its address, with labels namespace,
  // host and severity (OK, Warning, Critical, or none: Unknown).
  void write(std::string& out) const;

 private:
  static constexpr std::size_t severityCount = 4;
  struct Host {
    kube::ObjectKey key;
    Logs logs;
    std::map<std::string, bmc::LogPosition> ends;  // by log: the latest entry that was seen
    std::array<std::uint64_t, severityCount> counts{};
    struct Shown {
      bmc::Health severity;
      base::Pace pace{std::chrono::minutes(15), 5};
    };
    std::array<Shown, 2> paces{Shown{bmc::Health::critical}, Shown{bmc::Health::warning}};  // the worst first
    std::size_t withheld = 0;
  };
  void keep(Host& host, const std::string& log, std::vector<bmc::LogEntry> entries);
  [[nodiscard]] static LogNews newsOf(Host& host, std::vector<bmc::LogEntry> news, base::MonoTime now);

  std::size_t logs_ = 0;               // of all hosts
  std::map<std::string, Host> hosts_;  // by uid
};

}  // namespace ingot::coordinator::agents
