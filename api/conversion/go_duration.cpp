#include "api/conversion/go_duration.hpp"

#include <fmt/format.h>
#include <charconv>
#include <cmath>
#include <utility>

namespace ingot::api::conversion {

namespace {

// Longest first, so that "ms" is not read as minutes.
constexpr std::pair<std::string_view, double> kUnits[] = {
    {"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"μs", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"h", 3600e9},
};

std::optional<double> takeNumber(std::string_view& text) {
  const auto end = text.find_first_not_of("0123456789.");
  const auto digits = text.substr(0, end);
  if (digits.empty() || digits == ".") return std::nullopt;
  double out = 0;
  const auto [stop, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), out, std::chars_format::fixed);
  if (problem != std::errc() || stop != digits.data() + digits.size()) return std::nullopt;
  text.remove_prefix(digits.size());
  return out;
}

std::optional<double> takeUnit(std::string_view& text) {
  for (const auto& [name, nanoseconds] : kUnits) {
    if (!text.starts_with(name)) continue;
    text.remove_prefix(name.size());
    return nanoseconds;
  }
  return std::nullopt;
}

constexpr double kLimit = 9.2233720368547e18;  // nanoseconds in 64 bits

}  // namespace

std::optional<std::chrono::nanoseconds> parseGoDuration(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return std::chrono::nanoseconds(0);
  if (text.empty()) return std::nullopt;
  double sum = 0;
  while (!text.empty()) {
    const auto number = takeNumber(text);
    const auto unit = number ? takeUnit(text) : std::nullopt;
    if (!unit) return std::nullopt;
    sum += *number * *unit;
  }
  if (sum > kLimit) return std::nullopt;
  return std::chrono::nanoseconds(std::llround(negative ? -sum : sum));
}

std::string goDuration(std::chrono::seconds duration) {
  const std::string sign = duration.count() < 0 ? "-" : "";
  const auto all = std::abs(duration.count());
  const auto hours = all / 3600, minutes = all / 60 % 60, seconds = all % 60;
  if (hours > 0) return fmt::format("{}{}h{}m{}s", sign, hours, minutes, seconds);
  if (minutes > 0) return fmt::format("{}{}m{}s", sign, minutes, seconds);
  return fmt::format("{}{}s", sign, seconds);
}

}  // namespace ingot::api::conversion
