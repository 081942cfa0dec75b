#include "coordinator/agents/log_book.hpp"

#include "base/cut_text.hpp"
#include "base/metrics.hpp"
#include "bmc/model/power.hpp"

#include <algorithm>
#include <iterator>

namespace ingot::coordinator::agents {

namespace {

constexpr std::size_t longestEntryId = 128, longestLog = 256, longestEntry = 300;

bmc::Health severityOf(const bmc::LogEntry& entry) {
  return bmc::parseHealth(entry.severity).value_or(bmc::Health::unknown);
}

// It is shown to people, who see one line.
bmc::LogEntry bounded(bmc::LogEntry entry) {
  entry.id = base::oneLine(std::move(entry.id), longestEntryId);
  entry.created = base::oneLine(std::move(entry.created), longestEntryId);
  entry.severity = severityOf(entry) == bmc::Health::unknown ? "" : entry.severity;
  entry.message = base::oneLine(std::move(entry.message), longestEntry);
  return entry;
}

// Of what we have kept the last may be gone: some BMCs let single entries be deleted.
std::size_t firstUnseen(const std::vector<bmc::LogEntry>& entries, const std::vector<bmc::LogEntry>& kept,
                        const bmc::LogPosition& end) {
  for (auto last = kept.rbegin(); last != kept.rend(); ++last) {
    const auto there = std::ranges::find_if(
        entries, [&](const bmc::LogEntry& entry) { return entry.id == last->id && entry.created == last->created; });
    if (there != entries.end()) return bmc::firstAfter(entries, {last->id, last->created});
  }
  return bmc::firstAfter(entries, end);
}

}  // namespace

LogNews LogBook::take(const std::string& uid, const kube::ObjectKey& host, wire::LogFacts facts, base::MonoTime now) {
  auto& kept = hosts_[uid];
  kept.key = host;
  auto entries = std::move(facts.entries);
  if (entries.size() > bmc::mostLogEntries) entries.resize(bmc::mostLogEntries);
  std::ranges::transform(entries, entries.begin(), [](bmc::LogEntry& entry) { return bounded(std::move(entry)); });
  const std::string log = base::oneLine(std::move(facts.log), longestLog);
  const auto before = kept.logs.find(log);
  // What we have seen ourselves counts: the agent may be another one, or may not have heard our acknowledgement.
  const auto known = std::clamp<std::int64_t>(facts.known, 0, static_cast<std::int64_t>(entries.size()));
  const auto first = before != kept.logs.end() ? firstUnseen(entries, before->second, kept.ends[log])
                                               : static_cast<std::size_t>(known);
  std::vector<bmc::LogEntry> news(entries.begin() + static_cast<std::ptrdiff_t>(first), entries.end());
  for (const auto& entry : news) ++kept.counts.at(static_cast<std::size_t>(severityOf(entry)));
  keep(kept, log, std::move(entries));
  return newsOf(kept, std::move(news), now);
}

void LogBook::keep(Host& host, const std::string& log, std::vector<bmc::LogEntry> entries) {
  if (!host.logs.contains(log)) {
    if (host.logs.size() >= mostLogs) return;
    ++logs_;
  }
  // One that shows nothing may only be starting.
  if (!entries.empty() || host.ends[log].created.empty()) host.ends[log] = bmc::endOf(entries);
  auto& kept = host.logs[log];
  const auto room = std::clamp(mostEntries / logs_, leastKept, mostKept);
  if (entries.size() > room) entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(room));
  entries.shrink_to_fit();
  kept = std::move(entries);
}

LogNews LogBook::newsOf(Host& host, std::vector<bmc::LogEntry> news, base::MonoTime now) {
  LogNews told;
  for (auto& [severity, pace] : host.paces)
    for (auto entry = news.rbegin(); entry != news.rend(); ++entry) {
      if (severityOf(*entry) != severity) continue;
      if (pace.takeNow(now))
        told.shown.push_back(*entry);
      else
        ++host.withheld;
    }
  if (!told.shown.empty()) told.withheld = std::exchange(host.withheld, 0);
  return told;
}

void LogBook::forget(const std::string& uid) {
  const auto found = hosts_.find(uid);
  if (found == hosts_.end()) return;
  logs_ -= found->second.logs.size();
  hosts_.erase(found);
}

const LogBook::Logs* LogBook::find(const kube::ObjectKey& host) const {
  const auto found = std::ranges::find_if(hosts_, [&](const auto& entry) { return entry.second.key == host; });
  return found == hosts_.end() ? nullptr : &found->second.logs;
}

void LogBook::write(std::string& out) const {
  constexpr std::string_view name = "bmh_log_entries_total";
  bool hasHead = false;
  for (const auto& [uid, host] : hosts_)
    for (std::size_t severity = 0; severity < severityCount; ++severity) {
      if (host.counts.at(severity) == 0) continue;
      if (!std::exchange(hasHead, true))
        out += base::metricHead(name, "Entries that came into the log of a host's BMC", "counter");
      out += base::metricLine(name,
                              {{"namespace", host.key.namespace_},
                               {"host", host.key.name},
                               {"severity", std::string(bmc::toText(static_cast<bmc::Health>(severity)))}},
                              static_cast<double>(host.counts.at(severity)));
    }
}

}  // namespace ingot::coordinator::agents
