// RFC 3339 as Kubernetes reads and writes it.
#include "base/clock.hpp"

#include <fmt/compile.h>

#include <charconv>

namespace ingot::base {
namespace {

using std::chrono::sys_days;

struct Civil {
  std::chrono::year_month_day date;
  std::chrono::hh_mm_ss<std::chrono::microseconds> time;
};

Civil civil(WallTime t) {
  const auto micros = std::chrono::floor<std::chrono::microseconds>(t);
  const auto day = std::chrono::floor<std::chrono::days>(micros);
  return {std::chrono::year_month_day(day), std::chrono::hh_mm_ss<std::chrono::microseconds>(micros - day)};
}

std::string upToSeconds(const Civil& c) {
  return fmt::format(FMT_COMPILE("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}"), static_cast<int>(c.date.year()),
                     static_cast<unsigned>(c.date.month()), static_cast<unsigned>(c.date.day()), c.time.hours().count(),
                     c.time.minutes().count(), c.time.seconds().count());
}

// Reads a text from the left; every step says whether it found what it wanted.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool number(std::size_t digits, int& out) {
    if (rest_.size() < digits) return false;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + digits, out);
    if (error != std::errc() || end != rest_.data() + digits || rest_.front() == '-') return false;
    rest_.remove_prefix(digits);
    return true;
  }

  bool character(char wanted) {
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // ".123": digits past nanoseconds are dropped.
  bool fraction(std::chrono::nanoseconds& out) {
    if (!character('.')) return true;
    std::int64_t scale = 100'000'000, value = 0;
    std::size_t digits = 0;
    for (; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; rest_.remove_prefix(1), ++digits) {
      value += (rest_.front() - '0') * scale;
      scale /= 10;
    }
    out = std::chrono::nanoseconds(value);
    return digits > 0;
  }

  bool offset(std::chrono::minutes& out) {
    if (character('Z')) return true;
    if (rest_.empty() || (rest_.front() != '+' && rest_.front() != '-')) return false;
    const int sign = rest_.front() == '-' ? -1 : 1;
    rest_.remove_prefix(1);
    int hours = 0, minutes = 0;
    if (!number(2, hours) || !character(':') || !number(2, minutes) || hours > 23 || minutes > 59) return false;
    out = std::chrono::minutes(sign * (hours * 60 + minutes));
    return true;
  }

  [[nodiscard]] bool atEnd() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace

std::string formatTime(WallTime t) { return upToSeconds(civil(t)) + "Z"; }

std::string formatMicroTime(WallTime t) {
  const auto c = civil(t);
  return fmt::format(FMT_COMPILE("{}.{:06}Z"), upToSeconds(c), c.time.subseconds().count());
}

std::optional<WallTime> parseTime(std::string_view text) {
  Reader in(text);
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  std::chrono::nanoseconds fraction{};
  std::chrono::minutes offset{};
  const bool shaped = in.number(4, year) && in.character('-') && in.number(2, month) && in.character('-') &&
                      in.number(2, day) && in.character('T') && in.number(2, hour) && in.character(':') &&
                      in.number(2, minute) && in.character(':') && in.number(2, second) && in.fraction(fraction) &&
                      in.offset(offset) && in.atEnd();
  if (!shaped || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  // Outside these years the nanoseconds of WallTime overflow.
  if (!date.ok() || year < 1678 || year > 2261) return std::nullopt;
  return sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) + std::chrono::seconds(second) +
         fraction - offset;
}

}  // namespace ingot::base
