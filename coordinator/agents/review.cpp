// The part of the service that brings grants in step with hosts, agents, Secrets and Ironic.
#include "api/bmh/names.hpp"
#include "bmc/model/address.hpp"
#include "coordinator/agents/approval.hpp"
#include "coordinator/agents/served.hpp"
#include "coordinator/host/credentials.hpp"
#include "coordinator/host/kube_cluster.hpp"
#include "kube/runtime/finalizer.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr base::Duration withdrawnAfter = std::chrono::seconds(5);
constexpr std::size_t longestAddress = 4096;  // it goes in one message with the rest

std::string bmcHost(const std::string& address) {
  try {
    return bmc::parseAddress(address).host;
  } catch (const bmc::AddressError&) {  // the host controller tells the user
    return {};
  }
}

// How the BMC is reached, as host and Secret say it now; nullopt: the Secret is no good (the host controller tells).
std::optional<GrantBasis> accessOf(const api::BareMetalHost& host, const kube::Secret& secret) {
  const auto content = host::contentOf(secret);
  const auto checked = host::checkCredentials(content);
  const auto* credentials = std::get_if<host::Credentials>(&checked);
  if (credentials == nullptr || host.spec.bmc.address.size() > longestAddress) return std::nullopt;
  auto trust = bmcTrust(host, content);
  if (std::holds_alternative<std::string>(trust)) return std::nullopt;  // noteTrust() tells
  return GrantBasis{.address = host.spec.bmc.address,
                    .username = credentials->username,
                    .password = credentials->password,
                    .verifyCertificate = !host.spec.bmc.disableCertificateVerification,
                    .trust = std::get<BmcTrust>(std::move(trust))};
}

void noteAccess(std::optional<base::MonoTime>& withoutAccessSince, bool hasAccess, base::MonoTime now) {
  if (hasAccess)
    withoutAccessSince.reset();
  else if (!withoutAccessSince)
    withoutAccessSince = now;
}

// Whoever removes the credentials from a Secret takes them from the agent too. A Secret that is being replaced, or that
// the cache misses for a moment, does not count as removed.
bool isWithdrawn(const std::optional<base::MonoTime>& withoutAccessSince, base::MonoTime now) {
  return withoutAccessSince && now - *withoutAccessSince >= withdrawnAfter;
}

// nullptr: nobody keeps one.
template <class Book>
void forgetIn(Book* book, const std::string& uid) {
  if (book != nullptr) book->forget(uid);
}

}  // namespace

HostRoute routeOf(const api::BareMetalHost& host) {
  const auto* wanted = host.metadata.annotation(std::string(api::annotation::agent));
  return {host.metadata.uid, bmcHost(host.spec.bmc.address), wanted != nullptr ? *wanted : "", host.metadata.labels};
}

std::vector<AgentCandidate> AgentService::candidates() const {
  std::vector<AgentCandidate> list;
  for (const auto& agent : world_.agents.all())
    if (isUsable(*agent)) {
      list.push_back(candidateOf(*agent));
      list.back().isLeaving = roster_.byKey(agent->spec.publicKey)->isLeaving;
    }
  return list;
}

// An agent that was given rights is heard until they have ended, whether it is approved or not.
bool AgentService::isStranger(const std::string& publicKey) const {
  const auto agent = registrar_.find(publicKey);
  return !agent || (!registrar_.isApproved(*agent) && !kube::hasFinalizer(agent->metadata, leasesFinalizer));
}

bool AgentService::isUsable(const api::ProvisioningAgent& agent) const {
  const auto* connection = roster_.byKey(agent.spec.publicKey);
  return registrar_.isApproved(agent) && !agent.spec.drain && !agent.metadata.beingDeleted() && connection != nullptr &&
         roster_.alive(*connection, runtime_.clock.now());
}

const std::vector<AgentCandidate>& AgentService::refreshTeam() {
  auto present = candidates();
  if (present != team_) {
    team_ = std::move(present);
    ++teamGeneration_;
  }
  return team_;
}

void AgentService::forgetReadings(const std::string& uid) {
  forgetIn(world_.readings, uid);
  forgetIn(world_.logs, uid);
}

// This runs for every host each second, so the cost of a host with nothing left to do matters.
void AgentService::reviewAll() {
  const auto& agents = refreshTeam();
  if (agents.empty() && served_.empty()) return changed_.clear();
  for (const auto& [key, host] : hosts_.all()) review(key, host, agents);
  changed_.clear();
  commands_.keepHosts([this](const std::string& uid) {
    const auto* served = findServed(uid);
    return served != nullptr && hosts_.find(served->key, uid) != nullptr;
  });
  std::erase_if(ironicRequests_, [this](const auto& entry) { return !ironicRequested(entry.first); });
  for (auto entry = served_.begin(); entry != served_.end();) {
    const auto current = entry++;
    const auto& uid = current->first;
    if (hosts_.find(current->second.key, uid) != nullptr) continue;
    stopServing(uid, true);
    leases_.drop(uid, runtime_.clock.now());
    facts_.forget(uid);
    commands_.forget(uid);
    inventories_.forget(uid);
    boots_.forget(uid);
    erasures_.forget(uid);
    forgetReadings(uid);
    if (!leases_.find(uid)) served_.erase(current);
  }
}

void AgentService::reviewChanged() {
  const auto keys = std::exchange(changed_, {});
  if (keys.empty()) return;
  const auto& agents = refreshTeam();
  for (const auto& key : keys)
    if (const auto* host = hosts_.find(key)) review(key, *host, agents);
}

bool AgentService::expected(const kube::ObjectKey& key) const {
  const auto host = world_.hosts.find(key);
  return host && route(routeOf(*host), candidates()).has_value();
}

ReviewBasis AgentService::basisOf(const ReviewedHost& host) const {
  return {.hostChange = host.change,
          .secret = world_.secrets.find(host.credentials),
          .team = teamGeneration_,
          .owner = ownerOf(host)};
}

// Reads the host itself only when something is to be decided.
void AgentService::review(const kube::ObjectKey& key, const ReviewedHost& reviewed,
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
bool AgentService::isSettled(const Served& served, bool wanted, ownership::Owner owner) {
  if (!wanted) return true;  // decide() has taken it from whoever had it
  if (served.agent.empty() || served.grantAnew || served.withoutAccessSince) return false;
  return owner == ownership::Owner::nobody || served.granted.mayAct == (owner == ownership::Owner::agent);
}

bool AgentService::decide(Served& served, const api::BareMetalHost& host, ownership::Owner owner,
                          const std::vector<AgentCandidate>& candidates) {
  const auto& uid = host.metadata.uid;
  served.key = host.metadata.key();
  const auto chosen = route(routeOf(host), candidates);
  noteAnnotation(served, host);
  auto access = accessNow(host);
  noteTrust(served, host, access.has_value());

  const auto now = runtime_.clock.now();
  const auto lease = leases_.find(uid);
  const bool sameHolder = lease && chosen && holderOf(*chosen) == lease->agent;
  const bool heldElsewhere = lease && !sameHolder && !leases_.quiet(uid, now);
  noteAccess(served.withoutAccessSince, access.has_value(), now);
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
  if (const auto* connection = connectionOf(*chosen); access && connection != nullptr && !connection->isLeaving)
    serve(served, uid, std::move(*access), owner, *connection, *chosen);
  return true;
}

// Whoever writes a host's annotation does not thereby let an agent have the password.
void AgentService::noteAnnotation(Served& served, const api::BareMetalHost& host) {
  const auto wanted = routeOf(host);
  const auto agent = wanted.wantedAgent.empty() ? nullptr : world_.agents.find({"", wanted.wantedAgent});
  if (!agent || !registrar_.isApproved(*agent) || mayServe(candidateOf(*agent), wanted))
    return served.toldNotCovered.clear();
  if (std::exchange(served.toldNotCovered, wanted.wantedAgent) == wanted.wantedAgent) return;
  world_.events.warning(
      kube::referenceTo(host), "AgentNotApprovedForHost",
      fmt::format(
          "annotation {} names agent {}, whose approval does not cover this host, so no agent serves it: widen the "
          "approval (ingotctl agents approve {} with --network, --label or --all), or take the annotation away",
          api::annotation::agent, wanted.wantedAgent, wanted.wantedAgent));
}

std::string AgentService::trustProblem(const kube::ObjectKey& key) const {
  const auto host = world_.hosts.find(key);
  return host ? trustProblemOf(*host) : std::string();
}

std::string AgentService::trustProblemOf(const api::BareMetalHost& host) const {
  const auto secret = world_.secrets.find({host.metadata.namespace_, host.spec.bmc.credentialsName});
  if (!secret) return {};
  auto trust = bmcTrust(host, host::contentOf(*secret));
  auto* problem = std::get_if<std::string>(&trust);
  return problem == nullptr ? std::string()
                            : fmt::format("no agent serves this host before this is right: {}", *problem);
}

// A host that says wrongly whom to trust is not served: its password goes to nobody instead.
void AgentService::noteTrust(Served& served, const api::BareMetalHost& host, bool hasAccess) {
  const auto problem = hasAccess ? std::string() : trustProblemOf(host);
  if (std::exchange(served.toldNotTrusted, problem) == problem || problem.empty()) return;
  world_.events.warning(kube::referenceTo(host), "BMCTrustInvalid", problem);
}

void AgentService::serve(Served& served, const std::string& uid, GrantBasis basis, ownership::Owner owner,
                         const Connection& agent, const std::string& agentName) {
  const auto now = runtime_.clock.now();
  const auto lease = leases_.find(uid);
  commands_.handOver(uid, agentName, now);
  const auto holder = holderName(agentName, agent.incarnation);
  const bool holds = lease && lease->mayAct && lease->agent == holder;
  // While nobody owns the host (Owner::nobody) a right is neither given nor taken away: no command is sent then (see
  // command()).
  const bool mayGive = leases_.quiet(uid, now) && isOnRecord(agentName);
  const bool mayAct = owner == ownership::Owner::agent ? holds || mayGive : owner == ownership::Owner::nobody && holds;
  basis.agent = agentName;
  basis.peer = agent.peer;
  basis.mayAct = mayAct;
  if (basis == served.granted && !served.grantAnew) return;

  const auto token = leases_.grant(uid, holder, basis.mayAct, now);
  if (!basis.sameAccess(served.granted)) {
    served.accessGrant = token;
    inventories_.forget(uid);
    boots_.forget(uid);
    erasures_.forget(uid);  // of another BMC, or with another account
    forgetIn(world_.readings, uid);
  }
  if (std::exchange(served.readAt, basis.address) != basis.address) forgetIn(world_.logs, uid);
  wire::Grant grant;
  grant.host = uid;
  grant.name = served.key.text();
  grant.token = token;
  grant.echoMs = agent.stampMs;
  grant.ttlMs = timing_.lease.ttl / std::chrono::milliseconds(1);
  grant.mayAct = basis.mayAct;
  grant.address = basis.address;
  grant.username = basis.username;
  grant.password = basis.password;
  grant.verifyCertificate = basis.verifyCertificate || !basis.trust.ca.empty() || !basis.trust.pinnedKeys.empty();
  grant.ca = basis.trust.ca;
  grant.pinnedKeys = basis.trust.pinnedKeys;
  grant.legacyTls = basis.trust.legacyTls;
  grant.powerPollMs = timing_.powerPollMs;
  grant.healthPollMs = timing_.healthPollMs;
  grant.sensorPollMs = sensorPollMs(basis.address);
  grant.logPollMs = logPollMs(basis.address);
  if (!send(agent, grant)) {  // another one follows; should it have arrived, it runs out by itself
    leases_.revoke(uid);
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

std::optional<GrantBasis> AgentService::accessNow(const api::BareMetalHost& host) const {
  const auto secret = world_.secrets.find({host.metadata.namespace_, host.spec.bmc.credentialsName});
  return secret ? accessOf(host, *secret) : std::nullopt;
}

bool AgentService::usesPresentAccess(const std::string& uid) const {
  const auto* served = findServed(uid);
  if (served == nullptr) return false;
  const auto host = world_.hosts.find(served->key);
  const auto access = host ? accessNow(*host) : std::nullopt;
  return access && served->granted.sameAccess(*access);
}

void AgentService::stopServing(const std::string& uid, bool forget) {
  const auto found = served_.find(uid);
  if (found == served_.end() || found->second.agent.empty()) return;
  const bool hadRight = leases_.find(uid) && leases_.find(uid)->mayAct;
  if (!hadRight && !forget) return;
  const auto lease = leases_.revoke(uid);
  found->second.settledOn.reset();
  found->second.granted.mayAct = false;
  const auto* connection = connectionOf(found->second.agent);
  if (lease && connection != nullptr)
    send(*connection, wire::Revoke{uid, lease->token.term, lease->token.lease, forget});
  if (forget) found->second.granted = {};
}

ownership::Owner AgentService::ownerOf(const ReviewedHost& host) const {
  if (ironicRequested(host.uid)) return ownership::Owner::ironic;
  return ownership::ownerOf({.hostState = host.state,
                             .beingDeleted = host.beingDeleted,
                             .paused = host.paused,
                             .agentsOnly = world_.agentsOnly,
                             .ironic = world_.ironic(host.nodeId)});
}

const Connection* AgentService::connectionOf(const std::string& agentName) const {
  const auto agent = world_.agents.find({"", agentName});
  return agent ? roster_.byKey(agent->spec.publicKey) : nullptr;
}

std::string AgentService::holderOf(const std::string& agentName) const {
  const auto* connection = connectionOf(agentName);
  return connection == nullptr ? std::string() : holderName(agentName, connection->incarnation);
}

std::string AgentService::anyNameOf(const Connection& connection) const {
  const auto agent = registrar_.find(connection.publicKey);
  return agent ? agent->metadata.name : std::string();
}

std::string AgentService::nameOf(const Connection& connection) const {
  const auto agent = registrar_.find(connection.publicKey);
  return agent && registrar_.isApproved(*agent) && !agent->metadata.beingDeleted() ? agent->metadata.name
                                                                                   : std::string();
}

const AgentService::Served* AgentService::findServed(const std::string& uid) const {
  const auto found = served_.find(uid);
  return found == served_.end() ? nullptr : &found->second;
}

}  // namespace ingot::coordinator::agents
