// Options whose values have a form of their own; a wrong one is named, with what would be right.
#pragma once

#include "base/clock.hpp"
#include "cli/command/command.hpp"

#include <CLI/CLI.hpp>

#include <map>
#include <string>
#include <vector>

namespace ingot::cli {

// "90s", "1h30m"; `into` holds the default.
void addDuration(CLI::App& app, const std::string& flags, base::Duration& into, const std::string& doc);

// --at-once NUMBER, --pause DURATION, --max-failed PERCENT
void addWaves(CLI::App& app, Waves& into);

// --network CIDR, --label KEY=VALUE: both may be given several times.
void addNetworks(CLI::App& app, std::vector<std::string>& into);
void addLabels(CLI::App& app, std::map<std::string, std::string>& into);

}  // namespace ingot::cli
