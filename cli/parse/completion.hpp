// Scripts that make a shell complete commands, options and, by asking the cluster, names.
#pragma once

#include "cli/command/command.hpp"
#include "cli/parse/command_tree.hpp"

namespace ingot::cli {

[[nodiscard]] std::string completionScript(Shell shell, const CommandNode& root);

}  // namespace ingot::cli
