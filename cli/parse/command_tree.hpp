// The commands as data: what a shell needs to complete them.
#pragma once

#include <string>
#include <vector>

namespace ingot::cli {

// What stands behind a command besides options.
enum class Operand { none, host, agent, machine, cluster, subject, shell, file };

struct CommandNode {
  std::string name, description;
  std::vector<std::string> options;       // without a value: "--wait", "-h"
  std::vector<std::string> valueOptions;  // "--timeout", "-o"
  Operand operand = Operand::none;
  std::vector<CommandNode> children;
};

}  // namespace ingot::cli
