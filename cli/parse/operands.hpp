// Operands by the names that they have in help texts, and the commands as data made of those. Private to cli/parse.
#pragma once

#include "cli/parse/command_tree.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace ingot::cli {

inline constexpr const char* kHosts = "HOST";
inline constexpr const char* kAgents = "AGENT";
inline constexpr const char* kMachines = "MACHINE";
inline constexpr const char* kClusters = "CLUSTER";
inline constexpr const char* kSubject = "KIND";
inline constexpr const char* kShell = "SHELL";
inline constexpr const char* kFile = "FILE";

// Ranges of names, such as node[01-12,20], as they are written.
void addNames(CLI::App& app, std::vector<std::string>& into, const char* type);
void addHosts(CLI::App& app, std::vector<std::string>& into);

[[nodiscard]] CommandNode nodeOf(CLI::App& app);

}  // namespace ingot::cli
