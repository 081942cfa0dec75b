#include "coordinator/agents/command_book.hpp"

namespace ingot::coordinator::agents {

bool CommandBook::ended(const wire::CommandResult& result) {
  const auto found = commands_.find(result.host);
  if (found == commands_.end() || found->second.token != result.token) return false;
  found->second.result = result;
  return true;
}

const SentCommand* CommandBook::underWay(const std::string& host, base::MonoTime now) const {
  const auto found = commands_.find(host);
  if (found == commands_.end() || found->second.result || now - found->second.sentAt > patience_) return nullptr;
  return &found->second;
}

std::optional<SentCommand> CommandBook::takeEnded(const std::string& host) {
  const auto found = commands_.find(host);
  if (found == commands_.end() || !found->second.result) return std::nullopt;
  auto command = std::move(found->second);
  commands_.erase(found);
  return command;
}

}  // namespace ingot::coordinator::agents
