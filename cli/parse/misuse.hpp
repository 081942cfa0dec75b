// What is wrong with a command line, for its user: one line that names what is missing or not known, and the help.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace ingot::cli {

// `root` has just refused a command line with `why`.
[[nodiscard]] std::string misuse(const CLI::App& root, const CLI::ParseError& why);

}  // namespace ingot::cli
