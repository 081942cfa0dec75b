#include "coordinator/agents/command_book.hpp"

#include "base/milliseconds.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr base::Duration newsFor = std::chrono::seconds(60);
constexpr std::size_t mostOpen = 16;  // of a host, at an agent

std::optional<base::MonoTime> askedAt(const wire::CommandResult& result, base::MonoTime now) {
  if (result.askedAgoMs < 0) return std::nullopt;
  return now - base::fromMilliseconds(result.askedAgoMs);
}

bool mustBeRecorded(const SentCommand& command) {
  if (!command.result || !isRestart(command.action)) return false;
  return command.result->outcome == "done" || command.result->outcome == "unknown";
}

}  // namespace

base::Duration CommandPatience::of(bmc::PowerAction action) const {
  switch (action) {
    case bmc::PowerAction::on:
    case bmc::PowerAction::hardOff:
    case bmc::PowerAction::nmi: return hard;
    case bmc::PowerAction::hardReboot:
    case bmc::PowerAction::hardRestart: return reboot;
    case bmc::PowerAction::softOff:
    case bmc::PowerAction::softReboot: return soft;
    case bmc::PowerAction::acCycle: return acCycle;
  }
  return hard;
}

bool isLate(const SentCommand& command, bmc::Power seen, base::MonoTime seenAt, std::string_view vendor) {
  const bool hard = command.action == bmc::PowerAction::on || command.action == bmc::PowerAction::hardOff;
  const bool asBefore = seen != bmc::Power::unknown && seen != bmc::targetOf(command.action);
  const bool rests = command.action == bmc::PowerAction::on && vendor == "lenovo";  // bmc/quirks.hpp
  const auto wait = worthAWord + (rests ? restBeforeOn : base::Duration{});
  return hard && asBefore && seenAt - command.askedAt.value_or(command.sentAt) >= wait;
}

void CommandBook::sent(const std::string& host, SentCommand command) {
  Given& given = given_[host][command.agent];
  given.last = command.token;
  given.open.insert(command.token);
  if (given.open.size() > mostOpen) given.open.erase(given.open.begin());
  keep(host, std::move(command));
}

const CommandBook::Given* CommandBook::givenTo(const std::string& host, const std::string& agent) const {
  const auto agents = given_.find(host);
  if (agents == given_.end()) return nullptr;
  const auto given = agents->second.find(agent);
  return given == agents->second.end() ? nullptr : &given->second;
}

bool CommandBook::wasGiven(const std::string& host, const std::string& agent, const wire::Token& token) const {
  const auto* given = givenTo(host, agent);
  return given != nullptr && token.term == given->last.term && token <= given->last;
}

bool CommandBook::isOpen(const std::string& host, const std::string& agent, const wire::Token& token) const {
  const auto* given = givenTo(host, agent);
  return given != nullptr && given->open.contains(token);
}

void CommandBook::keep(const std::string& host, SentCommand command) {
  auto& last = lastSent_.try_emplace(host, command.sentAt).first->second;
  last = std::max(last, command.sentAt);  // what is adopted may be older than the last of ours
  commands_[host] = std::move(command);
}

bool CommandBook::ended(const std::string& agent, const wire::CommandResult& result, base::MonoTime now) {
  if (const auto given = given_.find(result.host); given != given_.end() && result.outcome != "running")
    if (const auto at = given->second.find(agent); at != given->second.end()) at->second.open.erase(result.token);
  const auto found = commands_.find(result.host);
  if (found == commands_.end() || found->second.token != result.token || found->second.agent != agent) return false;
  if (result.outcome == "running") return true;  // we know
  auto inherited = inherited_.extract(result.host);
  if (result.outcome == "refused" && !inherited.empty()) {
    found->second = std::move(inherited.mapped());
    return true;
  }
  found->second.result = result;
  found->second.endedAt = now;
  found->second.askedAt = askedAt(result, now);
  return true;
}

void CommandBook::adopt(const std::string& agent, const wire::CommandResult& result, base::MonoTime now,
                        base::MonoTime askedBy) {
  const auto action = bmc::parsePowerAction(result.action);
  if (!action) return;
  const auto inherited = inherited_.find(result.host);
  if (inherited != inherited_.end() && inherited->second.token == result.token) inherited_.erase(inherited);
  const auto recorded = recorded_.find(result.host);
  if (recorded != recorded_.end() && !(recorded->second < result.token)) return;
  const bool running = result.outcome == "running";
  const bool matters = running || result.outcome == "unknown" || (result.outcome == "done" && isRestart(*action));
  if (!matters) return;
  SentCommand command{.agent = agent, .token = result.token, .action = *action, .endedAt = now};
  command.askedAt = askedAt(result, now);
  if (askedBy < command.askedAt.value_or(now)) command.askedAt = askedBy;
  command.sentAt = command.askedAt.value_or(now);
  if (!running) command.result = result;
  const auto ours = commands_.find(result.host);
  if (ours == commands_.end() || (ours->second.result && ours->second.result->outcome == "refused")) {
    keep(result.host, std::move(command));
  } else if (!ours->second.result) {
    inherited_[result.host] = std::move(command);
  }
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

bool CommandBook::awaitsRecord(const std::string& host, const wire::Token& token) const {
  const auto found = commands_.find(host);
  return found != commands_.end() && found->second.token == token && mustBeRecorded(found->second);
}

bool CommandBook::lastIsOneShot(const std::string& host) const {
  const auto found = commands_.find(host);
  return found != commands_.end() && isOneShot(found->second.action);
}

std::optional<SentCommand> CommandBook::restartRecorded(const std::string& host) {
  const auto found = commands_.find(host);
  if (found == commands_.end() || !mustBeRecorded(found->second)) return std::nullopt;
  auto command = std::move(found->second);
  commands_.erase(found);
  recorded_[host] = command.token;
  return command;
}

std::optional<SentCommand> CommandBook::takeEnded(const std::string& host, base::MonoTime now) {
  const auto found = commands_.find(host);
  if (found == commands_.end() || !found->second.result || mayStillWork(found->second, now)) return std::nullopt;
  if (mustBeRecorded(found->second)) return found->second;
  auto command = std::move(found->second);
  commands_.erase(found);
  if (now - command.endedAt > newsFor && !isOneShot(command.action)) return std::nullopt;
  return command;
}

bool CommandBook::mayStillWork(const SentCommand& command, base::MonoTime now) const {
  if (!command.result || command.result->outcome != "unknown") return false;
  if (isRestart(command.action)) return false;  // waiting would tell nothing: the host is on either way
  if (command.action == bmc::PowerAction::softOff)
    return now - command.askedAt.value_or(command.sentAt) < patience_.soft;
  return now - command.askedAt.value_or(command.endedAt) < patience_.unknown;
}

bool CommandBook::goesDown(const std::string& host, base::MonoTime now) const {
  const auto* command = underWay(host, now);
  return command != nullptr && command->action == bmc::PowerAction::softOff;
}

std::optional<base::MonoTime> CommandBook::lastSent(const std::string& host) const {
  const auto found = lastSent_.find(host);
  return found == lastSent_.end() ? std::nullopt : std::optional(found->second);
}

void CommandBook::handOver(const std::string& host, const std::string& agent, base::MonoTime now) {
  const auto found = commands_.find(host);
  if (found == commands_.end() || found->second.agent == agent) return;
  SentCommand& command = found->second;
  if (auto inherited = inherited_.extract(host)) command = std::move(inherited.mapped());  // it refused ours, or will
  if (command.result) return;
  command.result = wire::CommandResult{.host = host,
                                       .token = command.token,
                                       .outcome = "unknown",
                                       .action = std::string(bmc::toText(command.action)),
                                       .error = "the host was given to another agent meanwhile"};
  command.endedAt = now;
}

void CommandBook::keepHosts(const std::function<bool(const std::string& host)>& isThere) {
  const auto gone = [&](const auto& entry) { return !isThere(entry.first); };
  std::erase_if(commands_, gone);
  std::erase_if(inherited_, gone);
  std::erase_if(lastSent_, gone);
  std::erase_if(given_, gone);
  std::erase_if(recorded_, gone);
}

void CommandBook::forget(const std::string& host) {
  commands_.erase(host);
  inherited_.erase(host);
  lastSent_.erase(host);
  given_.erase(host);
  recorded_.erase(host);
}

}  // namespace ingot::coordinator::agents
