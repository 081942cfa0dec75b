#include "coordinator/flags/flag_values.hpp"

#include "api/conversion/go_duration.hpp"
#include "base/nearest.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace ingot::coordinator {
namespace {

constexpr int mostSeconds = 32767;  // upstream reads 16 bits

std::optional<base::Duration> secondsIn(const std::string& text) {
  int seconds = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (bad != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (seconds < 1 || seconds > mostSeconds) return std::nullopt;
  return std::chrono::seconds(seconds);
}

}  // namespace

CLI::Option* addDuration(CLI::App& app, const std::string& flag, std::optional<base::Duration>& target,
                         const std::string& about) {
  return app.add_option_function<std::string>(
      flag,
      [&target, flag](const std::string& text) {
        target = api::conversion::parseGoDuration(text);
        if (!target || *target < base::Duration::zero())
          throw CLI::ValidationError(flag, "\"" + text + "\" is not a duration such as 90s, 10m or 1h30m");
      },
      about);
}

CLI::Option* addSeconds(CLI::App& app, const std::string& flag, std::optional<base::Duration>& target,
                        const std::string& about) {
  return app.add_option_function<std::string>(
      flag,
      [&target, flag](const std::string& text) {
        if (text.empty()) return;
        target = secondsIn(text);
        if (!target)
          throw CLI::ValidationError(flag, fmt::format("\"{}\" is not a number from 1 to {}", text, mostSeconds));
      },
      about);
}

std::vector<std::string> namesIn(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream rest(list);
  for (std::string name; std::getline(rest, name, ',');) {
    name = std::string(base::trimmed(name));
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

std::vector<std::string> withTwoDashes(std::vector<std::string> arguments, const CLI::App& app) {
  for (std::string& argument : arguments) {
    if (argument.size() <= 2 || argument[0] != '-' || argument[1] == '-') continue;
    const std::string twice = "-" + argument;
    if (app.get_option_no_throw(twice.substr(0, twice.find('='))) != nullptr) argument = twice;
  }
  return arguments;
}

std::string unknownFlag(const CLI::App& app) {
  const auto left = app.remaining(true);
  const auto found = std::ranges::find_if(left, [](const std::string& word) { return word.starts_with('-'); });
  if (found == left.end()) return fmt::format("\"{}\" is no flag", left.empty() ? "" : left.front());
  const std::string flag = found->substr(0, found->find('='));
  const std::string name = flag.substr(std::min(flag.find_first_not_of('-'), flag.size()));
  const std::string meant = base::nearest(name, longNames(app));
  return fmt::format("unknown flag {}{}", flag, meant.empty() ? "" : "; did you mean --" + meant + "?");
}

std::vector<std::string> longNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const auto& name : option->get_lnames()) names.push_back(name);
  return names;
}

}  // namespace ingot::coordinator
