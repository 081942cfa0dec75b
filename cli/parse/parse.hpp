// The command line, and nothing but the command line: no file is opened, no server asked.
#pragma once

#include "cli/command/command.hpp"
#include "cli/parse/command_tree.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ingot::cli {

struct Parsed {
  std::optional<Invocation> invocation;  // nullopt: print and leave
  std::string text;                      // what to print: help, or one line that says what is wrong
  bool isError = false;
};

// `arguments` without the program's name.
[[nodiscard]] Parsed parseCommandLine(std::vector<std::string> arguments);

// All commands and options, for completion and the guide's checks.
[[nodiscard]] CommandNode commandTree();

}  // namespace ingot::cli
