#include "bmc/ipmi/event_log.hpp"

#include "base/clock.hpp"
#include "base/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace ingot::bmc::ipmi {

namespace {

constexpr std::string_view critical = "Critical", warning = "Warning", ok = "OK";

struct Meaning {
  std::string_view text, severity;
};

// In the words of ipmitool; the first that is found counts.
constexpr Meaning meanings[] = {
    {"Non-recoverable", critical},
    {"Non-critical", warning},
    {"Critical", critical},
    {"Uncorrectable", critical},
    {"Correctable ECC", warning},
    {"Predictive", warning},
    {"Fault", critical},
    {"Failure", critical},
    {"Redundancy Lost", warning},
    {"Redundancy Degraded", warning},
    {"AC lost", critical},
    {"Thermal Trip", critical},
    {"IERR", critical},
    {"Bus Fatal Error", critical},
    {"General Chassis intrusion", warning},
    {"Configuration Error", critical},
    {"Parity", critical},
};

// "11/20/26" or "11/20/2026", "23:49:22 UTC" (or GMT).
std::string timeFrom(std::string_view date, std::string_view time) {
  if (date.size() != 8 && date.size() != 10) return {};
  const std::string year = (date.size() == 8 ? "20" : "") + std::string(date.substr(6));
  const auto clock = time.substr(0, std::min<std::size_t>(time.size(), 8));
  const auto parsed = base::parseTime(fmt::format("{}-{}-{}T{}Z", year, date.substr(0, 2), date.substr(3, 2), clock));
  return parsed ? base::formatTime(*parsed) : std::string();
}

std::vector<std::string_view> columnsOf(std::string_view line) {
  std::vector<std::string_view> columns;
  while (true) {
    const auto comma = std::min(line.find(','), line.size());
    columns.push_back(base::trimmed(line.substr(0, comma)));
    if (comma == line.size()) return columns;
    line.remove_prefix(comma + 1);
  }
}

bool isHex(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return base::hexDigit(c) >= 0; });
}

std::string severityOf(std::string_view event, bool isOver) {
  const auto found = std::ranges::find_if(
      meanings, [&](const Meaning& one) { return event.find(one.text) != std::string_view::npos; });
  if (found == std::end(meanings)) return {};
  return std::string(isOver ? ok : found->severity);
}

// "1,11/20/26,23:49:22 UTC,Temperature MBTemp,Upper Critical going high,Asserted,Reading 150 > Threshold 144 degrees C"
std::optional<LogEntry> entryIn(std::string_view line) {
  auto columns = columnsOf(line);
  if (columns.size() < 4 || !isHex(columns[0])) return std::nullopt;
  LogEntry entry{.id = std::string(columns[0]), .created = timeFrom(columns[1], columns[2])};
  columns.erase(columns.begin(), columns.begin() + 3);
  std::erase(columns, std::string_view());
  const bool isOver =
      std::ranges::any_of(columns, [](std::string_view column) { return column.find("Deasserted") != column.npos; });
  std::erase(columns, std::string_view("Asserted"));
  entry.message = fmt::format("{}", fmt::join(columns, ", "));
  // What a sensor is called says nothing of what has happened to it.
  entry.severity = columns.size() > 1 ? severityOf(columns[1], isOver) : std::string();
  return entry;
}

}  // namespace

std::size_t entriesOfSel(std::string_view output) {
  std::size_t count = 0;
  const auto mark = markOfSel(output);  // the number comes first
  std::from_chars(mark.data(), mark.data() + mark.size(), count);
  return count;
}

std::string markOfSel(std::string_view output) {
  constexpr std::string_view telling[] = {"Entries", "Last Add Time", "Last Del Time"};
  std::string mark;
  while (!output.empty()) {
    const auto end = std::min(output.find('\n'), output.size());
    const auto line = output.substr(0, end);
    output.remove_prefix(std::min(end + 1, output.size()));
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    if (std::ranges::find(telling, base::trimmed(line.substr(0, colon))) == std::end(telling)) continue;
    mark += fmt::format("{}|", base::trimmed(line.substr(colon + 1)));
  }
  return mark;
}

std::vector<LogEntry> parseSel(std::string_view output) {
  std::vector<LogEntry> entries;
  while (!output.empty()) {
    const auto end = std::min(output.find('\n'), output.size());
    if (auto entry = entryIn(output.substr(0, end))) entries.push_back(std::move(*entry));
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  if (entries.size() > mostLogEntries)
    entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(mostLogEntries));
  return entries;
}

}  // namespace ingot::bmc::ipmi
