#include "cli/show/readings.hpp"

#include "cli/show/documents.hpp"
#include "cli/words/duration.hpp"

#include <algorithm>

namespace ingot::cli {
namespace {

constexpr std::pair<std::string_view, std::string_view> unitWords[] = {{"Cel", " °C"}, {"RPM", " RPM"}, {"%", " %"},
                                                                       {"V", " V"},    {"A", " A"},     {"W", " W"}};

std::string nameOf(const json::Value& document) { return json::textAt(document, {"metadata", "name"}); }

std::string valueOf(const json::Value& reading) {
  const auto* value = json::find(reading, {"value"});
  if (value == nullptr || !value->is_number()) return {};
  const auto unit = json::textAt(reading, {"unit"});
  const auto* known = std::ranges::find(unitWords, unit, &std::pair<std::string_view, std::string_view>::first);
  return fmt::format("{:g}{}", value->to_number<double>(), known != std::end(unitWords) ? known->second : " " + unit);
}

// "from 5 to 38 (from 2 to 42)": where it is good, and where it is not yet critical.
std::string limitsOf(const json::Value& reading) {
  const auto range = [&](std::string_view lower, std::string_view upper) {
    std::string text;
    for (const auto& [name, word] : {std::pair{lower, "from "}, {upper, "to "}})
      if (const auto* value = json::find(reading, {"thresholds", name}); value != nullptr && value->is_number())
        text += fmt::format("{}{}{:g}", text.empty() ? "" : " ", word, value->to_number<double>());
    return text;
  };
  auto good = range("ln", "un");
  const auto bearable = range("lc", "uc");
  if (bearable.empty()) return good;
  return fmt::format("{}{}({})", good, good.empty() ? "" : " ", bearable);
}

Row headsOf(Row heads, bool withHost) {
  if (withHost) heads.insert(heads.begin(), "HOST");
  return heads;
}

// "/redfish/v1/Systems/1/LogServices/SEL": people know it by its last word.
std::string shortLog(const std::string& path) {
  const auto end = path.find_last_not_of('/');
  const auto trimmed = path.substr(0, end == std::string::npos ? 0 : end + 1);
  return trimmed.substr(trimmed.rfind('/') + 1);
}

// "cannot be read now, for 10m: the BMC is busy (busy)"
std::string troubleOf(const json::Value& document, base::WallTime now) {
  const auto code = json::textAt(document, {"notRead", "class"});
  if (code.empty()) return {};
  const auto since = base::parseTime(json::textAt(document, {"notRead", "since"}));
  return fmt::format("cannot be read{}: {} ({})", since ? fmt::format(", for {}", ageText(now - *since)) : "",
                     json::textAt(document, {"notRead", "detail"}), code);
}

}  // namespace

TextTable sensorTable(const std::vector<json::Value>& documents) {
  const bool withHost = documents.size() > 1;
  TextTable table(headsOf({"SENSOR", "KIND", "READING", "RANGE", "HEALTH", "PLACE"}, withHost));
  for (const auto& document : documents) {
    const auto add = [&](Row row) {
      if (withHost) row.insert(row.begin(), nameOf(document));
      table.add(row);
    };
    for (const auto& reading : arrayOf(document, "readings"))
      add({json::textAt(reading, {"name"}), json::textAt(reading, {"kind"}), valueOf(reading), limitsOf(reading),
           json::textAt(reading, {"health"}), json::textAt(reading, {"context"})});
    for (const auto& part : arrayOf(document, "parts"))
      add({json::textAt(part, {"name"}), json::textAt(part, {"kind"}), json::textAt(part, {"state"}), "",
           json::textAt(part, {"health"}), ""});
  }
  return table;
}

TextTable logTable(const std::vector<json::Value>& documents) {
  const bool withHost = documents.size() > 1;
  struct Line {
    std::string when;  // of it, or of the last one before it that has a time
    std::size_t place = 0;
    Row row;
  };
  std::vector<Line> lines;
  for (const auto& document : documents)
    for (const auto& log : arrayOf(document, "logs")) {
      std::string when;
      for (const auto& entry : arrayOf(log, "entries")) {
        const auto created = json::textAt(entry, {"created"});
        if (!created.empty()) when = created;
        Row row{created, json::textAt(entry, {"severity"}), shortLog(json::textAt(log, {"log"})),
                json::textAt(entry, {"id"}), json::textAt(entry, {"message"})};
        if (withHost) row.insert(row.begin(), nameOf(document));
        lines.push_back({when, lines.size(), std::move(row)});
      }
    }
  std::ranges::sort(lines, {}, [](const Line& line) { return std::tie(line.when, line.place); });
  TextTable table(headsOf({"TIME", "SEVERITY", "LOG", "ID", "MESSAGE"}, withHost));
  for (const auto& line : lines) table.add(line.row);
  return table;
}

std::string readingNote(const json::Value& document, base::WallTime now) {
  const auto trouble = troubleOf(document, now);
  const auto observed = base::parseTime(json::textAt(document, {"observedAt"}));
  if (!observed) return trouble.empty() ? trouble : fmt::format("{}: {}", nameOf(document), trouble);
  std::string note = fmt::format("{}: read {} ago", nameOf(document), ageText(now - *observed));
  if (!trouble.empty()) note += "; " + trouble;
  if (const auto progress = json::textAt(document, {"bootProgress"}); !progress.empty())
    note += "; boot progress: " + progress;
  std::string missing;
  for (const auto& why : arrayOf(document, "unread"))
    if (why.is_string()) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", why.get_string().c_str());
  return missing.empty() ? note : note + "; not read: " + missing;
}

}  // namespace ingot::cli
