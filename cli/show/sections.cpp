#include "cli/show/sections.hpp"

#include "cli/decide/machine_progress.hpp"
#include "cli/show/text_table.hpp"
#include "cli/words/duration.hpp"

#include <algorithm>

namespace ingot::cli {
namespace {

constexpr std::size_t kMostEvents = 20;

}  // namespace

std::string waitingText(const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string out = "\nWaiting for:\n";
  for (const auto& line : lines) out += "  " + plainText(line) + "\n";
  return out;
}

std::string trimmedLines(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n')
      while (out.ends_with(' ')) out.pop_back();
    out += c;
  }
  return out;
}

std::string conditionsText(const std::vector<kube::Condition>& conditions, base::WallTime now) {
  TextTable table({"TYPE", "STATUS", "REASON", "SINCE", "MESSAGE"});
  for (const auto& c : conditions)
    table.add({c.type, c.status, c.reason, ageText(c.lastTransitionTime, now), c.message});
  return table.empty() ? "" : "\nConditions:\n" + table.text(2);
}

std::string eventsText(std::optional<std::vector<kube::Event>> known, base::WallTime now) {
  if (!known) return "\nEvents:        not known\n";
  auto& events = *known;
  if (events.empty()) return "\nEvents:        none\n";
  std::ranges::sort(events, {}, lastTimeOf);
  if (events.size() > kMostEvents) events.erase(events.begin(), events.end() - kMostEvents);
  TextTable table({"AGE", "TYPE", "REASON", "COUNT", "MESSAGE"});
  for (const auto& e : events)
    table.add(
        {ageText(lastTimeOf(e), now), e.type, e.reason, std::to_string(std::max<std::int64_t>(1, e.count)), e.message});
  return "\nEvents:\n" + table.text(2);
}

}  // namespace ingot::cli
