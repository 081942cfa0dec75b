#include "bmc/model/log.hpp"

#include <algorithm>

namespace ingot::bmc {

LogPosition endOf(const std::vector<LogEntry>& entries) {
  return entries.empty() ? LogPosition{} : LogPosition{entries.back().id, entries.back().created};
}

std::size_t firstAfter(const std::vector<LogEntry>& entries, const LogPosition& read) {
  const auto is = [&](const LogEntry& entry) { return LogPosition{entry.id, entry.created} == read; };
  const auto last = std::find_if(entries.rbegin(), entries.rend(), is);
  if (last != entries.rend()) return static_cast<std::size_t>(entries.rend() - last);
  // Times in UTC sort as texts do. Where nothing is later the log has been cleared, and perhaps the clock set back.
  const auto isLater = [&](const LogEntry& entry) { return entry.created > read.created; };
  const auto later = std::ranges::find_if(entries, isLater);
  return read.created.empty() || later == entries.end() ? 0 : static_cast<std::size_t>(later - entries.begin());
}

}  // namespace ingot::bmc
