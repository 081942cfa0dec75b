// How grants are brought in step with hosts, agents, Secrets and Ironic.
#include "api/bmh/names.hpp"
#include "coordinator/agents/approval.hpp"
#include "coordinator/agents/grants.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr base::Duration withdrawnAfter = std::chrono::seconds(5);

void noteWithout(std::optional<base::MonoTime>& since, bool hasAccess, base::MonoTime now) {
  if (hasAccess)
    since.reset();
  else if (!since)
    since = now;
}

// Whoever removes the credentials from a Secret takes them from the agent too. A Secret that is being replaced, or that
// the cache misses for a moment, does not count as removed.
bool isWithdrawn(const std::optional<base::MonoTime>& withoutAccessSince, base::MonoTime now) {
  return withoutAccessSince && now - *withoutAccessSince >= withdrawnAfter;
}

}  // namespace

Grants::Reviewed Grants::review() {
  const auto now = runtime_.clock.now();
  if (!std::exchange(allChanged_, false) && now < nextFull_) {
    reviewChanged();
    return Reviewed::some;
  }
  nextFull_ = now + timing_.tick;
  return reviewAll();
}

const std::vector<AgentCandidate>& Grants::refreshTeam() {
  auto present = conversation_.candidates();
  if (present != team_) {
    team_ = std::move(present);
    ++teamGeneration_;
  }
  return team_;
}

// This runs for every host each second, so the cost of a host with nothing left to do matters.
Grants::Reviewed Grants::reviewAll() {
  const auto& agents = refreshTeam();
  changed_.clear();
  if (agents.empty() && served_.empty()) return Reviewed::some;
  for (const auto& [key, host] : hosts_.all()) reviewHost(key, host, agents);
  ironic_.prune(runtime_.clock.now());
  forgetGoneHosts();
  return Reviewed::all;
}

void Grants::forgetGoneHosts() {
  for (auto entry = served_.begin(); entry != served_.end();) {
    const auto current = entry++;
    const auto& uid = current->first;
    if (isThere(uid)) continue;
    stopServing(uid, true);
    leases_.drop(uid, runtime_.clock.now());
    listener_.gone(uid);
    if (!leases_.find(uid)) served_.erase(current);
  }
}

void Grants::reviewChanged() {
  const auto keys = std::exchange(changed_, {});
  if (keys.empty()) return;
  const auto& agents = refreshTeam();
  for (const auto& key : keys)
    if (const auto* host = hosts_.find(key)) reviewHost(key, *host, agents);
}

ReviewBasis Grants::basisOf(const ReviewedHost& host) const {
  return {.hostChange = host.change,
          .secret = world_.secrets.find(host.credentials),
          .team = teamGeneration_,
          .owner = ownerOf(host)};
}

// Reads the host itself only when something is to be decided.
void Grants::reviewHost(const kube::ObjectKey& key, const ReviewedHost& reviewed,
                        const std::vector<AgentCandidate>& candidates) {
  Served& served = served_[reviewed.uid];
  auto basis = basisOf(reviewed);
  if (served.settledOn == basis && !served.grantAnew) return;
  const auto host = world_.hosts.find(key);
  if (!host) return;
  const bool wanted = decide(served, *host, basis.owner, candidates);
  served.settledOn = isSettled(served, wanted, basis.owner) ? std::optional(std::move(basis)) : std::nullopt;
}

// A settled host waits for no lease to run out, for no answer of Ironic, and for no message to get through.
bool Grants::isSettled(const Served& served, bool wanted, ownership::Owner owner) {
  if (!wanted) return true;  // decide() has taken it from whoever had it
  if (served.agent.empty() || served.grantAnew || served.withoutAccessSince) return false;
  return owner == ownership::Owner::nobody || served.granted.mayAct == (owner == ownership::Owner::agent);
}

bool Grants::decide(Served& served, const api::BareMetalHost& host, ownership::Owner owner,
                    const std::vector<AgentCandidate>& candidates) {
  const auto& uid = host.metadata.uid;
  served.key = host.metadata.key();
  const auto chosen = route(routeOf(host), candidates);
  noteAnnotation(served, host);
  auto access = accessNow(host);
  noteTrust(served, host, access.has_value());

  const auto now = runtime_.clock.now();
  const auto lease = leases_.find(uid);
  const bool sameHolder = lease && chosen && conversation_.holderOf(*chosen) == lease->agent;
  const bool heldElsewhere = lease && !sameHolder && !leases_.quiet(uid, now);
  noteWithout(served.withoutAccessSince, access.has_value(), now);
  const bool withdrawn = isWithdrawn(served.withoutAccessSince, now);
  if (!chosen || heldElsewhere || withdrawn) {  // first the present holder lets go, or runs out of time
    if (!served.agent.empty()) {
      stopServing(uid, true);
      served.agent.clear();
      world_.wake(served.key);
    }
    served.grantAnew = false;
    return chosen && !withdrawn;
  }
  if (const auto* connection = conversation_.of(*chosen); access && connection != nullptr && !connection->isLeaving)
    serve(served, uid, std::move(*access), owner, *connection, *chosen);
  return true;
}

// Whoever writes a host's annotation does not thereby let an agent have the password.
void Grants::noteAnnotation(Served& served, const api::BareMetalHost& host) {
  const auto wanted = routeOf(host);
  const auto agent = wanted.wantedAgent.empty() ? nullptr : world_.agents.find({"", wanted.wantedAgent});
  if (!agent || !conversation_.isApproved(*agent) || mayServe(candidateOf(*agent), wanted))
    return served.toldNotCovered.clear();
  if (std::exchange(served.toldNotCovered, wanted.wantedAgent) == wanted.wantedAgent) return;
  world_.events.warning(
      kube::referenceTo(host), "AgentNotApprovedForHost",
      fmt::format(
          "annotation {} names agent {}, whose approval does not cover this host, so no agent serves it: widen the "
          "approval (ingotctl agents approve {} with --network, --label or --all), or take the annotation away",
          api::annotation::agent, wanted.wantedAgent, wanted.wantedAgent));
}

std::string Grants::trustProblem(const kube::ObjectKey& key) const {
  const auto host = world_.hosts.find(key);
  return host ? trustProblemOf(*host) : std::string();
}

std::string Grants::trustProblemOf(const api::BareMetalHost& host) const {
  const auto secret = world_.secrets.find({host.metadata.namespace_, host.spec.bmc.credentialsName});
  return secret ? agents::trustProblem(host, *secret) : std::string();
}

// A host that says wrongly whom to trust is not served: its password goes to nobody instead.
void Grants::noteTrust(Served& served, const api::BareMetalHost& host, bool hasAccess) {
  const auto problem = hasAccess ? std::string() : trustProblemOf(host);
  if (std::exchange(served.toldNotTrusted, problem) == problem || problem.empty()) return;
  world_.events.warning(kube::referenceTo(host), "BMCTrustInvalid", problem);
}

// While nobody owns the host (Owner::nobody) a right is neither given nor taken away: no command is sent then.
bool Grants::mayBeGranted(const std::string& uid, const std::string& holder, const std::string& agentName,
                          ownership::Owner owner) const {
  const auto lease = leases_.find(uid);
  const bool holds = lease && lease->mayAct && lease->agent == holder;
  if (owner != ownership::Owner::agent) return owner == ownership::Owner::nobody && holds;
  return holds || (quiet(uid) && isOnRecord(agentName));
}

void Grants::serve(Served& served, const std::string& uid, BmcAccess access, ownership::Owner owner,
                   const Connection& agent, const std::string& agentName) {
  listener_.served(uid, agentName);
  const auto holder = holderName(agentName, agent.incarnation);
  GrantBasis basis{.agent = agentName,
                   .peer = agent.peer,
                   .access = std::move(access),
                   .mayAct = mayBeGranted(uid, holder, agentName, owner)};
  basis.powerPollMs = owner == ownership::Owner::ironic
                          ? timing_.powerPollMs
                          : powerIntervalBehind(basis.access.address, timing_.powerPollMs);
  if (basis == served.granted && !served.grantAnew) return;

  const auto now = runtime_.clock.now();
  const auto token = leases_.grant(uid, holder, basis.mayAct, now);
  noteAccess(served, uid, basis.access, token);
  if (!conversation_.send(agent, grantOf(uid, served, basis, token, agent))) {
    leases_.revoke(uid);  // another one follows; should it have arrived, it runs out by itself
    served.grantAnew = true;
    return;
  }
  served.grantAnew = false;
  served.grantedAt = now;
  const bool newAgent = served.agent != agentName;
  const bool gotRight = basis.mayAct && !served.granted.mayAct;
  if (gotRight) served.rightSince = now;
  served.agent = agentName;
  served.granted = std::move(basis);
  if (newAgent || gotRight) world_.wake(served.key);
}

void Grants::noteAccess(Served& served, const std::string& uid, const BmcAccess& access, const wire::Token& token) {
  if (access != served.granted.access) {
    served.accessGrant = token;
    listener_.accessChanged(uid);
  }
  if (std::exchange(served.readAt, access.address) != access.address) listener_.addressChanged(uid);
}

wire::Grant Grants::grantOf(const std::string& uid, const Served& served, const GrantBasis& basis,
                            const wire::Token& token, const Connection& agent) const {
  const auto& [address, username, password, verifyCertificate, trust] = basis.access;
  wire::Grant grant;
  grant.host = uid;
  grant.name = served.key.text();
  grant.token = token;
  grant.echoMs = agent.stampMs;
  grant.ttlMs = timing_.lease.ttl / std::chrono::milliseconds(1);
  grant.mayAct = basis.mayAct;
  grant.address = address;
  grant.username = username;
  grant.password = password;
  grant.verifyCertificate = verifyCertificate || !trust.ca.empty() || !trust.pinnedKeys.empty();
  grant.ca = trust.ca;
  grant.pinnedKeys = trust.pinnedKeys;
  grant.legacyTls = trust.legacyTls;
  grant.powerPollMs = basis.powerPollMs;
  grant.healthPollMs = timing_.healthPollMs;
  grant.sensorPollMs = sensorPollMs(address);
  grant.logPollMs = logPollMs(address);
  grant.inventoryPollMs = inventoryPollMs(address);
  return grant;
}

std::optional<BmcAccess> Grants::accessNow(const api::BareMetalHost& host) const {
  const auto secret = world_.secrets.find({host.metadata.namespace_, host.spec.bmc.credentialsName});
  return secret ? accessOf(host, *secret) : std::nullopt;
}

bool Grants::usesPresentAccess(const std::string& uid) const {
  const auto* served = find(uid);
  const auto host = served == nullptr ? nullptr : world_.hosts.find(served->key);
  const auto access = host ? accessNow(*host) : std::nullopt;
  return access && served->granted.access == *access;
}

void Grants::stopServing(const std::string& uid, bool forget) {
  const auto found = served_.find(uid);
  if (found == served_.end() || found->second.agent.empty()) return;
  const auto held = leases_.find(uid);
  if (!(held && held->mayAct) && !forget) return;
  const auto lease = leases_.revoke(uid);
  auto& served = found->second;
  served.settledOn.reset();
  served.granted.mayAct = false;
  const auto* connection = conversation_.of(served.agent);
  if (lease && connection != nullptr)
    conversation_.send(*connection, wire::Revoke{uid, lease->token.term, lease->token.lease, forget});
  if (forget) served.granted = {};
}

ownership::Owner Grants::ownerOf(const ReviewedHost& host) const {
  if (ironic_.mayAct(host.uid, runtime_.clock.now())) return ownership::Owner::ironic;
  return ownership::ownerOf({.hostState = host.state,
                             .beingDeleted = host.beingDeleted,
                             .paused = host.paused,
                             .agentsOnly = world_.agentsOnly,
                             .ironic = world_.ironic(host.nodeId)});
}

}  // namespace ingot::coordinator::agents
