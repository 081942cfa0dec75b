#include "apiserver/table/age.hpp"

#include <fmt/format.h>

namespace ingot::apiserver {

namespace {

// "7d3h", and "7d" when nothing is left.
std::string pair(std::int64_t whole, char unit, std::int64_t rest, char restUnit) {
  return rest == 0 ? fmt::format("{}{}", whole, unit) : fmt::format("{}{}{}{}", whole, unit, rest, restUnit);
}

}  // namespace

std::string humanDuration(base::Duration d) {
  const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(d).count();
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  const std::int64_t minutes = seconds / 60, hours = minutes / 60, days = hours / 24, years = days / 365;
  if (seconds < 120) return fmt::format("{}s", seconds);
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return fmt::format("{}m", minutes);
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return fmt::format("{}h", hours);
  if (days < 8) return pair(days, 'd', hours % 24, 'h');
  if (years < 2) return fmt::format("{}d", days);
  if (years < 8) return pair(years, 'y', days % 365, 'd');
  return fmt::format("{}y", years);
}

std::string ageSince(std::string_view timestamp, base::WallTime now) {
  if (timestamp.empty()) return "<unknown>";
  const auto since = base::parseTime(timestamp);
  return since ? humanDuration(std::chrono::duration_cast<base::Duration>(now - *since)) : "<invalid>";
}

}  // namespace ingot::apiserver
