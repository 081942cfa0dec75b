#include "json/yaml/cursor.hpp"
#include "json/yaml/plain.hpp"

namespace ingot::json::yaml {

namespace {

// One or two digits.
std::optional<unsigned> shortNumber(Cursor& text) {
  const std::string_view digits = text.digits(2);
  if (digits.empty()) return std::nullopt;
  unsigned value = 0;
  for (const char c : digits) value = value * 10 + static_cast<unsigned>(c - '0');
  return value;
}

bool shortNumberBelow(Cursor& text, unsigned limit) {
  const auto value = shortNumber(text);
  return value && *value < limit;
}

bool exactDigits(Cursor& text, std::size_t count) { return text.digits(count).size() == count; }

bool goDate(Cursor& text) {
  const std::string_view year = text.digits();
  if (year.size() != 4 || !text.take("-")) return false;
  const auto month = shortNumber(text);
  if (!month || !text.take("-")) return false;
  const auto day = shortNumber(text);
  if (!day) return false;
  const int number = (year[0] - '0') * 1000 + (year[1] - '0') * 100 + (year[2] - '0') * 10 + (year[3] - '0');
  return std::chrono::year_month_day(std::chrono::year(number), std::chrono::month(*month), std::chrono::day(*day))
      .ok();
}

bool goTime(Cursor& text) {
  if (!shortNumberBelow(text, 24) || !text.take(":")) return false;
  if (!shortNumberBelow(text, 60) || !text.take(":")) return false;
  if (!shortNumberBelow(text, 60)) return false;
  if (text.rest().size() >= 2 && text.at(".,") && isAsciiDigit(text.rest()[1])) {
    text.take(".,");
    text.digits();
  }
  return true;
}

bool goZone(Cursor& text) {
  if (text.take("Z")) return true;
  if (!text.take("+-")) return false;
  const std::string_view hours = text.digits(2);
  if (hours.size() != 2 || !text.take(":")) return false;
  const std::string_view minutes = text.digits(2);
  return minutes.size() == 2 && hours <= "24" && minutes <= "60";
}

bool asGoReads(Cursor text) {
  if (!goDate(text)) return false;
  if (text.done()) return true;
  if (text.take("Tt")) return goTime(text) && goZone(text) && text.done();
  if (!text.take(" ")) return false;
  text.takeWhile([](char c) { return c == ' '; });
  return goTime(text) && text.done();
}

std::size_t blanks(Cursor& text) {
  return text.takeWhile([](char c) { return c == ' ' || c == '\t'; }).size();
}

// yyyy-m-d, with whether month and day have two digits.
std::optional<bool> yaml11Date(Cursor& text) {
  if (!exactDigits(text, 4) || !text.take("-")) return std::nullopt;
  const auto month = text.digits(2).size();
  if (month == 0 || !text.take("-")) return std::nullopt;
  const auto day = text.digits(2).size();
  if (day == 0) return std::nullopt;
  return month == 2 && day == 2;
}

bool yaml11Time(Cursor& text) {
  if (text.digits(2).empty() || !text.take(":") || !exactDigits(text, 2)) return false;
  if (!text.take(":") || !exactDigits(text, 2)) return false;
  if (text.take(".")) text.digits();
  return true;
}

bool yaml11Zone(Cursor& text) {
  if (text.take("Z")) return true;
  if (!text.take("+-") || text.digits(2).empty()) return false;
  return !text.take(":") || exactDigits(text, 2);
}

bool asYaml11Reads(Cursor text) {
  const auto twoDigitsEach = yaml11Date(text);
  if (!twoDigitsEach) return false;
  if (text.done()) return *twoDigitsEach;
  if (!text.take("Tt") && blanks(text) == 0) return false;
  if (!yaml11Time(text)) return false;
  if (text.done()) return true;
  blanks(text);
  return yaml11Zone(text) && text.done();
}

}  // namespace

bool readsAsTimestamp(std::string_view text) {
  if (text.size() < 8 || !isAsciiDigit(text.front()) || text[4] != '-') return false;
  return asGoReads(Cursor(text)) || asYaml11Reads(Cursor(text));
}

}  // namespace ingot::json::yaml
