// What came of commands, as agents tell it, and whether they may: one agent has no say in another one's hosts.
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
  const bool ours = commands_.ended(result, now);
  if (!ours) commands_.adopt(name, result, now);
  if (!commands_.awaitsRecord(result.host, result.token))
    send(from, wire::Acknowledge{.host = result.host, .token = result.token});
  runtime_.log.info("an agent's command ended",
                    {{"host", result.host}, {"outcome", result.outcome}, {"ours", ours}, {"error", result.error}});
  world_.wake(host->metadata.key());
}

// Whom a coordinator before us gave which host is written nowhere: of that time an agent is believed that may serve the
// host.
bool AgentService::mayReport(const std::string& name, const api::BareMetalHost& host,
                             const wire::CommandResult& result) const {
  if (commands_.wasGiven(result.host, name, result.token)) return true;
  const auto* served = findServed(result.host);
  if (served != nullptr && served->agent == name) return true;
  const auto agent = world_.agents.find({"", name});
  return result.token.term < world_.term && agent &&
         mayServe({name, agent->spec.networks, agent->spec.hostLabels}, routeOf(host));
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

// A host that was never reviewed yet is looked for: results come right with the hello, before the first review.
std::shared_ptr<const api::BareMetalHost> AgentService::hostOf(const std::string& uid) const {
  if (const auto* served = findServed(uid)) {
    auto host = world_.hosts.find(served->key);
    return host && host->metadata.uid == uid ? host : nullptr;
  }
  const auto all = world_.hosts.all();
  const auto found = std::ranges::find_if(all, [&](const auto& host) { return host->metadata.uid == uid; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace ingot::coordinator::agents
