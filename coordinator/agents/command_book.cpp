#include "coordinator/agents/command_book.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr base::Duration newsFor = std::chrono::seconds(60);

}  // namespace

base::Duration CommandPatience::of(bmc::PowerAction action) const {
  switch (action) {
    case bmc::PowerAction::on:
    case bmc::PowerAction::hardOff: return hard;
    case bmc::PowerAction::hardReboot: return reboot;
    case bmc::PowerAction::softOff:
    case bmc::PowerAction::softReboot: return soft;
  }
  return hard;
}

void CommandBook::sent(const std::string& host, SentCommand command) {
  lastSent_[host] = command.sentAt;
  commands_[host] = std::move(command);
}

bool CommandBook::ended(const wire::CommandResult& result, base::MonoTime now) {
  const auto found = commands_.find(result.host);
  if (found == commands_.end() || found->second.token != result.token) return false;
  found->second.result = result;
  found->second.endedAt = now;
  return true;
}

const SentCommand* CommandBook::underWay(const std::string& host, base::MonoTime now) const {
  const auto found = commands_.find(host);
  if (found == commands_.end()) return nullptr;
  if (found->second.result) return mayStillWork(found->second, now) ? &found->second : nullptr;
  return now - found->second.sentAt > patience_.of(found->second.action) ? nullptr : &found->second;
}

std::vector<wire::CommandQuery> CommandBook::underWayAt(const std::string& agent, base::MonoTime now) const {
  std::vector<wire::CommandQuery> queries;
  for (const auto& [host, command] : commands_)
    if (command.agent == agent && !command.result && underWay(host, now) != nullptr)
      queries.push_back({host, command.token});
  return queries;
}

std::optional<SentCommand> CommandBook::takeEnded(const std::string& host, base::MonoTime now) {
  const auto found = commands_.find(host);
  if (found == commands_.end() || !found->second.result || mayStillWork(found->second, now)) return std::nullopt;
  auto command = std::move(found->second);
  commands_.erase(found);
  if (now - command.endedAt > newsFor) return std::nullopt;
  return command;
}

bool CommandBook::mayStillWork(const SentCommand& command, base::MonoTime now) const {
  return command.result && command.result->outcome == "unknown" && now - command.endedAt < patience_.unknown;
}

std::optional<base::MonoTime> CommandBook::lastSent(const std::string& host) const {
  const auto found = lastSent_.find(host);
  return found == lastSent_.end() ? std::nullopt : std::optional(found->second);
}

void CommandBook::keepOnly(const std::string& host, const std::string& agent) {
  const auto found = commands_.find(host);
  if (found != commands_.end() && found->second.agent != agent) commands_.erase(found);
}

void CommandBook::forget(const std::string& host) {
  commands_.erase(host);
  lastSent_.erase(host);
}

}  // namespace ingot::coordinator::agents
