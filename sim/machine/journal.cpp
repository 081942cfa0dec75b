#include "sim/machine/journal.hpp"

namespace ingot::sim {

void Journal::record(JournalEntry entry) {
  entry.sequence = ++last_;
  entry.time = base::formatMicroTime(clock_.wall());
  if (onRecord) onRecord(entry);
  entries_.push_back(std::move(entry));
  if (entries_.size() > capacity_) entries_.pop_front();
}

void Journal::event(const std::string& machine, std::string action, std::string detail) {
  record({.machine = machine,
          .kind = "event",
          .sender = "machine",
          .action = std::move(action),
          .detail = std::move(detail)});
}

std::vector<JournalEntry> Journal::since(std::int64_t sequence, const std::string& machine) const {
  std::vector<JournalEntry> found;
  for (const auto& entry : entries_)
    if (entry.sequence > sequence && (machine.empty() || entry.machine == machine)) found.push_back(entry);
  return found;
}

std::string senderOf(const std::string& userAgent) {
  if (userAgent.starts_with("ingot-agent")) return "agent";
  if (userAgent.starts_with("python-requests") || userAgent.starts_with("sushy")) return "ironic";
  return userAgent.empty() ? "unknown" : userAgent;
}

}  // namespace ingot::sim
