#include "cli/words/duration.hpp"

namespace ingot::cli {
namespace {

using namespace std::chrono_literals;

struct Unit {
  std::string_view name;
  base::Duration length;
};
constexpr Unit units[] = {{"ms", 1ms}, {"s", 1s}, {"m", 1min}, {"h", 1h}, {"d", 24h}};  // "ms" before "m" and "s"

constexpr auto kDay = 24h;
constexpr auto kYear = 365 * kDay;

std::string two(std::int64_t big, std::string_view bigUnit, std::int64_t small, std::string_view smallUnit) {
  if (small == 0) return fmt::format("{}{}", big, bigUnit);
  return fmt::format("{}{}{}{}", big, bigUnit, small, smallUnit);
}

}  // namespace

std::optional<base::Duration> parseDuration(std::string_view text) {
  base::Duration total{};
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    std::uint32_t count = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (failed != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const auto* unit = std::ranges::find_if(units, [&](const Unit& u) { return text.starts_with(u.name); });
    if (unit == std::end(units) || base::Duration(100 * kYear) / unit->length < count) return std::nullopt;
    total += unit->length * count;
    text.remove_prefix(unit->name.size());
  }
  return total;
}

std::string ageText(base::Duration age) {
  if (age < 0s) age = 0s;
  const auto seconds = age / 1s;
  const auto minutes = age / 1min;
  const auto hours = age / 1h;
  const auto days = age / kDay;
  if (age < 2min) return fmt::format("{}s", seconds);
  if (age < 10min) return two(minutes, "m", seconds % 60, "s");
  if (age < 3h) return fmt::format("{}m", minutes);
  if (age < 8h) return two(hours, "h", minutes % 60, "m");
  if (age < 48h) return fmt::format("{}h", hours);
  if (age < 8 * kDay) return two(days, "d", hours % 24, "h");
  if (age < 2 * kYear) return fmt::format("{}d", days);
  if (age < 8 * kYear) return two(days / 365, "y", days % 365, "d");
  return fmt::format("{}y", days / 365);
}

std::string ageText(const std::optional<base::WallTime>& since, base::WallTime now) {
  return since ? ageText(now - *since) : "-";
}

}  // namespace ingot::cli
