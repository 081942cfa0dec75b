// Command lines as Go programs take them, for CLI11.
#pragma once

#include "base/clock.hpp"

#include <CLI/CLI.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ingot::coordinator {

// One of the names, which the help lists alone: CLI11's transformers add what they stand for. `names` outlives the app.
template <class Value, class Target>
CLI::Option* addChoice(CLI::App& app, const std::string& flag, Target& target,
                       const std::map<std::string, Value>& names, const std::string& about) {
  return app
      .add_option_function<std::string>(
          flag, [&target, &names](const std::string& name) { target = names.at(name); }, about)
      ->check(CLI::IsMember(names));
}

// "10m", "1h30m", "500ms"; not below zero.
CLI::Option* addDuration(CLI::App& app, const std::string& flag, std::optional<base::Duration>& target,
                         const std::string& about);
// Whole seconds from 1 to 32767; "" is as good as nothing.
CLI::Option* addSeconds(CLI::App& app, const std::string& flag, std::optional<base::Duration>& target,
                        const std::string& about);

// "a, b,c", each once.
[[nodiscard]] std::vector<std::string> namesIn(const std::string& list);

// The baremetal-operator's flags take one dash or two.
[[nodiscard]] std::vector<std::string> withTwoDashes(std::vector<std::string> arguments, const CLI::App& app);

// What is wrong with a command line that holds more than the app knows.
[[nodiscard]] std::string unknownFlag(const CLI::App& app);

// Long names, without dashes, in the order of the help.
[[nodiscard]] std::vector<std::string> longNames(const CLI::App& app);

}  // namespace ingot::coordinator
