// What came of commands, as agents tell it, and whether they may: one agent has no say in another one's hosts.
#include "api/bmh/annotations.hpp"
#include "api/bmh/names.hpp"
#include "coordinator/agents/approval.hpp"
#include "coordinator/agents/commands.hpp"

namespace ingot::coordinator::agents {

void Commands::onResult(const Connection& from, const wire::CommandResult& result) {
  const auto now = runtime_.clock.now();
  const auto name = conversation_.nameOf(from);
  const auto host = grants_.hostOf(result.host);
  if (!host || !mayReport(name, *host, result)) {
    if (host) refuseResult(from, *host);
    conversation_.send(from, wire::Acknowledge{.host = result.host, .token = result.token});  // nobody else wants it
    return;
  }
  if (isOfFormerServer(name, result)) return acknowledge(from, result);
  const bool ours = book_.ended(name, result, now);
  if (!ours) book_.adopt(name, result, now, result.token.term < world_.term ? grants_.earlierUntil() : now);
  acknowledge(from, result);
  runtime_.log.info("an agent's command ended",
                    {{"host", result.host}, {"outcome", result.outcome}, {"ours", ours}, {"error", result.error}});
  world_.wake(host->metadata.key());
}

// A restart is repeated by the agent until it is on record.
void Commands::acknowledge(const Connection& to, const wire::CommandResult& result) {
  if (!book_.awaitsRecord(result.host, result.token))
    conversation_.send(to, wire::Acknowledge{.host = result.host, .token = result.token});
}

bool Commands::isServedBy(const std::string& uid, const std::string& name) const {
  const auto* served = grants_.find(uid);
  return served != nullptr && served->agent == name;
}

// No record says which agent an earlier coordinator gave which host, so for that time any agent is believed that may
// serve the host. A restart counts whichever agent reports it, for routes may have changed since: a second restart does
// more harm than none (docs/decisions/0008).
bool Commands::mayReport(const std::string& name, const api::BareMetalHost& host,
                         const wire::CommandResult& result) const {
  if (book_.wasGiven(result.host, name, result.token)) return true;
  if (result.token.term > world_.term) return false;
  if (isServedBy(result.host, name)) return true;
  if (result.token.term == world_.term) return false;
  const auto action = bmc::parsePowerAction(result.action);
  if (action && isRestart(*action) && answersEarlierWish(result.host, result.token)) return true;
  const auto agent = world_.agents.find({"", name});
  return agent && mayServe(candidateOf(*agent), routeOf(host));
}

// Whoever served the host before tells once how each command ended that we gave it, and has no say in it by repeating
// itself, or by telling of others.
bool Commands::isOfFormerServer(const std::string& name, const wire::CommandResult& result) const {
  return !isServedBy(result.host, name) && result.token.term == world_.term &&
         !book_.isOpen(result.host, name, result.token);
}

bool Commands::answersEarlierWish(const std::string& uid, const wire::Token& token) const {
  return token.term < world_.term && earlierWishes_.contains(uid);
}

// A restart that is asked for from now on cannot have been done by an earlier coordinator.
void Commands::begin() {
  for (const auto& host : world_.hosts.all())
    if (isAnnotated(*host, api::annotation::reboot)) earlierWishes_.insert(host->metadata.uid);
}

std::optional<SentCommand> Commands::takeEnded(const std::string& uid) {
  auto ended = book_.takeEnded(uid, runtime_.clock.now());
  const bool earlier = ended && isRestart(ended->action) && ended->token.term < world_.term;
  if (!earlier || answersEarlierWish(uid, ended->token)) return ended;
  restartRecorded(uid);
  return std::nullopt;
}

std::optional<SentCommand> Commands::takeEndedOneShot(const std::string& uid) {
  return book_.lastIsOneShot(uid) ? takeEnded(uid) : std::nullopt;
}

void Commands::restartRecorded(const std::string& uid) {
  earlierWishes_.erase(uid);
  const auto command = book_.restartRecorded(uid);
  if (!command) return;
  if (const auto* agent = conversation_.of(command->agent))
    conversation_.send(*agent, wire::Acknowledge{.host = uid, .token = command->token});
}

void Commands::refuseResult(const Connection& from, const api::BareMetalHost& host) {
  const auto agent = conversation_.agentOf(from);
  if (!agent || !foreignTold_.insert(from.publicKey).second) return;
  const std::string text = fmt::format(
      "the agent told of a command on host {} that it was not given; what it says of hosts that it does "
      "not serve is not believed",
      host.metadata.key().text());
  runtime_.log.warn(text, {{"agent", agent->metadata.name}});
  world_.events.warning(kube::referenceTo(*agent), "ForeignResult", text);
}

}  // namespace ingot::coordinator::agents
