#include "cli/parse/operands.hpp"

namespace ingot::cli {
namespace {

Operand operandOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (type == kHosts) return Operand::host;
  if (type == kAgents) return Operand::agent;
  if (type == kMachines) return Operand::machine;
  if (type == kClusters) return Operand::cluster;
  if (type == kSubject) return Operand::subject;
  if (type == kShell) return Operand::shell;
  return Operand::none;
}

}  // namespace

CommandNode nodeOf(CLI::App& app) {
  CommandNode node{.name = app.get_name(), .description = app.get_description()};
  for (const CLI::Option* option : app.get_options()) {
    auto& options = option->get_items_expected_max() > 0 ? node.valueOptions : node.options;
    for (const auto& name : option->get_snames()) options.push_back("-" + name);
    for (const auto& name : option->get_lnames()) options.push_back("--" + name);
    if (node.operand == Operand::none && option->get_positional()) node.operand = operandOf(*option);
    if (option->check_lname("filename")) node.operand = Operand::file;
  }
  for (CLI::App* child : app.get_subcommands({})) node.children.push_back(nodeOf(*child));
  return node;
}

void addNames(CLI::App& app, std::vector<std::string>& into, const char* type) {
  app.add_option("names", into, "Names; node[01-12,20] stands for many")->required()->type_name(type);
}

void addHosts(CLI::App& app, std::vector<std::string>& into) { addNames(app, into, kHosts); }

}  // namespace ingot::cli
