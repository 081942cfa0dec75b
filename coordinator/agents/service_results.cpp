// What came of commands, as agents tell it, and whether they may: one agent has no say in another one's hosts.
#include "api/bmh/annotations.hpp"
#include "api/bmh/names.hpp"
#include "coordinator/agents/approval.hpp"
#include "coordinator/agents/served.hpp"

namespace ingot::coordinator::agents {

void AgentService::onResult(const Connection& from, const wire::CommandResult& result) {
  const auto now = runtime_.clock.now();
  const auto name = nameOf(from);
  const auto host = hostOf(result.host);
  if (!host || !mayReport(name, *host, result)) {
    if (host) refuseResult(from, *host);
    send(from, wire::Acknowledge{.host = result.host, .token = result.token});  // nobody else wants it
    return;
  }
  if (isOfFormerServer(name, result)) {
    if (!commands_.awaitsRecord(result.host, result.token))
      send(from, wire::Acknowledge{.host = result.host, .token = result.token});
    return;
  }
  const bool ours = commands_.ended(name, result, now);
  if (!ours) commands_.adopt(name, result, now, result.token.term < world_.term ? earlierUntil_ : now);
  if (!commands_.awaitsRecord(result.host, result.token))
    send(from, wire::Acknowledge{.host = result.host, .token = result.token});
  runtime_.log.info("an agent's command ended",
                    {{"host", result.host}, {"outcome", result.outcome}, {"ours", ours}, {"error", result.error}});
  world_.wake(host->metadata.key());
}

// No record says which agent an earlier coordinator gave which host, so for that time any agent is believed that may
// serve the host. A restart counts whichever agent reports it, for routes may have changed since: a second restart does
// more harm than none (docs/decisions/0008).
bool AgentService::mayReport(const std::string& name, const api::BareMetalHost& host,
                             const wire::CommandResult& result) const {
  if (commands_.wasGiven(result.host, name, result.token)) return true;
  const auto* served = findServed(result.host);
  if (result.token.term > world_.term) return false;
  if (served != nullptr && served->agent == name) return true;
  if (result.token.term == world_.term) return false;
  const auto action = bmc::parsePowerAction(result.action);
  if (action && isRestart(*action) && answersEarlierWish(result.host, result.token)) return true;
  const auto agent = world_.agents.find({"", name});
  return agent && mayServe(candidateOf(*agent), routeOf(host));
}

// Whoever served the host before tells once how each command ended that we gave it, and has no say in it by repeating
// itself, or by telling of others.
bool AgentService::isOfFormerServer(const std::string& name, const wire::CommandResult& result) const {
  const auto* served = findServed(result.host);
  const bool serves = served != nullptr && served->agent == name;
  return !serves && result.token.term == world_.term && !commands_.isOpen(result.host, name, result.token);
}

bool AgentService::answersEarlierWish(const std::string& uid, const wire::Token& token) const {
  return token.term < world_.term && earlierWishes_.contains(uid);
}

// A restart that is asked for from now on cannot have been done by an earlier coordinator.
void AgentService::noteEarlierWishes() {
  for (const auto& host : world_.hosts.all())
    if (isAnnotated(*host, api::annotation::reboot)) earlierWishes_.insert(host->metadata.uid);
}

std::optional<SentCommand> AgentService::takeEnded(const std::string& uid) {
  auto ended = commands_.takeEnded(uid, runtime_.clock.now());
  const bool earlier = ended && isRestart(ended->action) && ended->token.term < world_.term;
  if (!earlier || answersEarlierWish(uid, ended->token)) return ended;
  restartRecorded(uid);
  return std::nullopt;
}

std::optional<SentCommand> AgentService::takeEndedOneShot(const std::string& uid) {
  return commands_.lastIsOneShot(uid) ? takeEnded(uid) : std::nullopt;
}

void AgentService::refuseResult(const Connection& from, const api::BareMetalHost& host) {
  const auto agent = registrar_.find(from.publicKey);
  if (!agent || !foreignTold_.insert(from.publicKey).second) return;
  const std::string text = fmt::format(
      "the agent told of a command on host {} that it was not given; what it says of hosts that it does "
      "not serve is not believed",
      host.metadata.key().text());
  runtime_.log.warn(text, {{"agent", agent->metadata.name}});
  world_.events.warning(kube::referenceTo(*agent), "ForeignResult", text);
}

// Finds the host whether it was reviewed or not: results arrive with the hello, before the first review.
std::shared_ptr<const api::BareMetalHost> AgentService::hostOf(const std::string& uid) const {
  const auto& keys = byUid_.find(uid);
  return keys.empty() ? nullptr : world_.hosts.find(*keys.begin());
}

}  // namespace ingot::coordinator::agents
