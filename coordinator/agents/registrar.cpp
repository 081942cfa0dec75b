#include "coordinator/agents/registrar.hpp"

#include "base/text.hpp"
#include "coordinator/agents/approval.hpp"
#include "kube/core/error.hpp"
#include "kube/runtime/draft.hpp"
#include "wire/link.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr std::size_t longestName = 63;

// Only what an operator would act on is worth a write at once; the rest waits for its turn. So does all that a stranger
// says, once it is on record: it may say something else each second.
bool isUrgent(const api::ProvisioningAgent& agent, const api::ProvisioningAgentStatus& next) {
  const auto& now = agent.status;
  if (now.fingerprint.empty()) return true;
  return agent.spec.approved && (now.connected != next.connected || now.version != next.version ||
                                 now.bootID != next.bootID || now.fingerprint != next.fingerprint);
}

std::string howToApprove(const api::ProvisioningAgent& agent) {
  return fmt::format(
      "approve it with: ingotctl agents approve {} --fingerprint \"{}\" --all (or --network CIDR, or --label "
      "KEY=VALUE)",
      agent.metadata.name, wire::fingerprint(agent.spec.publicKey));
}

}  // namespace

std::string objectName(const std::string& agentName) {
  std::string name;
  for (const unsigned char c : agentName.substr(0, longestName)) {
    const bool plain = std::isalnum(c) != 0 || c == '.' || c == '-';
    name += plain ? base::lower(static_cast<char>(c)) : '-';
  }
  const auto first = name.find_first_not_of("-.");
  if (first == std::string::npos) return {};
  return name.substr(first, name.find_last_not_of("-.") - first + 1);
}

Registrar::Registrar(base::Runtime runtime, kube::Client& client, kube::Cache<api::ProvisioningAgent>& cache,
                     kube::EventRecorder& events, RegistrarLimits limits)
    : runtime_(std::move(runtime)),
      started_(runtime_.clock.now()),
      client_(client),
      cache_(cache),
      events_(events),
      limits_(limits) {
  subscription_ = cache_.listen([this](const auto& change) { index(change); });
}

void Registrar::index(const kube::Cache<api::ProvisioningAgent>::Change& change) {
  if (change.before) {
    const auto found = byKey_.find(change.before->spec.publicKey);
    if (found != byKey_.end() && found->second.erase(change.key) > 0 && found->second.empty()) byKey_.erase(found);
  }
  if (change.after) byKey_[change.after->spec.publicKey].insert(change.key);
  if (change.after && agents::isApproved(*change.after))
    approved_.insert(change.key);
  else
    approved_.erase(change.key);
}

std::shared_ptr<const api::ProvisioningAgent> Registrar::find(const std::string& publicKey) const {
  const auto found = byKey_.find(publicKey);
  return found == byKey_.end() ? nullptr : cache_.find(*found->second.begin());
}

Admission Registrar::admit(const Connection& connection) {
  if (const auto known = find(connection.publicKey)) {
    wanted_.erase(connection.publicKey);
    if (known->metadata.beingDeleted())
      return {Standing::refused, "the ProvisioningAgent is being deleted", known->metadata.name};
    if (!known->spec.approved) return {Standing::pending, howToApprove(*known), known->metadata.name};
    if (auto problem = wrongKeyText(*known); !problem.empty())
      return {Standing::refused, std::move(problem), known->metadata.name};
    return {Standing::approved, "", known->metadata.name};
  }

  const auto name = objectName(connection.name);
  if (name.empty()) return {Standing::refused, "the agent's name has no letter or digit", ""};
  if (const auto namesake = cache_.find({"", name})) {
    if (refusalsTold_.size() < limits_.mostPending && refusalsTold_.insert(connection.publicKey).second)
      events_.warning(kube::referenceTo(*namesake), "KeyMismatch",
                      fmt::format("an agent that calls itself {} came with another key ({}) and was refused", name,
                                  wire::fingerprint(connection.publicKey)));
    return {Standing::refused,
            "another key is known under this name; delete the ProvisioningAgent to admit the new one", name};
  }
  if (cache_.isUnreadable({"", name}))
    return {
        Standing::refused,
        fmt::format("the ProvisioningAgent {} is stored but cannot be read; make it anew with this agent's key", name),
        ""};
  if (wanted_.size() < limits_.mostPending) wanted_.insert_or_assign(connection.publicKey, connection);
  return {Standing::pending, "waiting to be recorded", ""};
}

base::Task<void> Registrar::write(const Roster& roster, const std::map<std::string, int>& hostsByAgent) {
  const auto now = runtime_.clock.now();
  const auto all = cache_.all();
  const auto pending =
      static_cast<std::size_t>(std::ranges::count_if(all, [](const auto& a) { return !a->spec.approved; }));
  const bool mayCreate = pending < limits_.mostPending && (!lastCreated_ || now - *lastCreated_ >= limits_.betweenNew);
  if (mayCreate && !wanted_.empty()) {
    lastCreated_ = now;
    co_await createPending(wanted_.extract(wanted_.begin()).mapped());
  }
  if (pending >= limits_.mostPending && !wanted_.empty()) co_await makeRoom();
  for (const auto& agent : all) {
    co_await completeApproval(agent);
    const auto* connection = roster.byKey(agent->spec.publicKey);
    const auto hosts = hostsByAgent.find(agent->metadata.name);
    co_await writeStatus(agent, connection, connection != nullptr && roster.alive(*connection, now),
                         hosts == hostsByAgent.end() ? 0 : hosts->second);
  }
}

// Of those that no operator has touched and that are gone, the one that has been gone for longest.
base::Task<void> Registrar::makeRoom() {
  const auto isForgotten = [&](const api::ProvisioningAgent& agent) {
    const auto& seen = agent.status.lastSeen;
    return agent.spec == api::ProvisioningAgentSpec{.publicKey = agent.spec.publicKey} &&
           agent.metadata.finalizers.empty() && !agent.status.connected && seen &&
           runtime_.clock.wall() - *seen > limits_.forgottenAfter;
  };
  std::shared_ptr<const api::ProvisioningAgent> oldest;
  for (const auto& agent : cache_.all())
    if (isForgotten(*agent) && (!oldest || agent->status.lastSeen < oldest->status.lastSeen)) oldest = agent;
  if (!oldest) co_return;
  try {
    co_await client_.remove<api::ProvisioningAgent>(
        oldest->metadata.key(), {.uid = oldest->metadata.uid, .resourceVersion = oldest->metadata.resourceVersion});
    runtime_.log.info("an agent that nobody has approved, and that is gone, makes room for another",
                      {{"agent", oldest->metadata.name}});
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {  // tried again with the next turn
    runtime_.log.debug("could not remove an agent", {{"agent", oldest->metadata.name}, {"error", error.what()}});
  }
}

base::Task<void> Registrar::createPending(Connection connection) {
  api::ProvisioningAgent agent;
  agent.metadata.name = objectName(connection.name);
  agent.spec.publicKey = connection.publicKey;
  try {
    co_await client_.create(agent);
    runtime_.log.info("an unknown agent waits for approval",
                      {{"agent", agent.metadata.name}, {"fingerprint", wire::fingerprint(connection.publicKey)}});
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {  // its next heartbeat brings it back
    runtime_.log.warn("could not record a new agent", {{"agent", agent.metadata.name}, {"error", error.what()}});
  }
}

base::Task<void> Registrar::writeStatus(std::shared_ptr<const api::ProvisioningAgent> agent,
                                        const Connection* connection, bool alive, int hosts) {
  if (!cache_.hasSeenOwnWrites(agent->metadata.key())) co_return;
  kube::Draft<api::ProvisioningAgent> draft(agent);
  auto& status = draft->status;
  status.fingerprint = wire::fingerprint(agent->spec.publicKey);
  if (alive || runtime_.clock.now() - started_ > limits_.grace) status.connected = alive;
  status.hosts = hosts;
  if (connection != nullptr) {
    status.version = connection->software;
    status.bootID = connection->boot;
    if (agent->spec.approved)
      status.lagMilliseconds = std::chrono::floor<std::chrono::seconds>(connection->lag) / std::chrono::milliseconds(1);
    const auto second = std::chrono::floor<std::chrono::seconds>(runtime_.clock.wall());
    if (alive && !agent->status.connected) status.connectedSince = second;
    if (!status.connected && agent->status.connected) status.lastSeen = second;
  }
  if (status == agent->status) co_return;
  const auto now = runtime_.clock.now();
  auto& last = lastStatus_[agent->metadata.name];
  const auto pause = agent->spec.approved ? limits_.betweenStatus : limits_.betweenStatusOfPending;
  if (!isUrgent(*agent, status) && now - last < pause) co_return;
  last = now;
  try {
    co_await kube::save(client_, draft, &cache_);
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {
    runtime_.log.debug("could not write an agent's status", {{"agent", agent->metadata.name}, {"error", error.what()}});
  }
}

// Written once for an object: where the kind's definition is an older one, the API does not keep it.
base::Task<void> Registrar::completeApproval(std::shared_ptr<const api::ProvisioningAgent> agent) {
  if (!isOfOldForm(agent->spec) || completed_.contains(agent->metadata.uid)) co_return;
  kube::Draft<api::ProvisioningAgent> draft(agent);
  fillInOldApproval(draft->spec);
  const auto spec = draft->spec;
  try {
    co_await kube::save(client_, draft, &cache_);
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {  // tried again with the next turn
    runtime_.log.debug("could not complete an approval", {{"agent", agent->metadata.name}, {"error", error.what()}});
    co_return;
  }
  completed_.insert(agent->metadata.uid);
  events_.warning(
      kube::referenceTo(*agent), "ApprovalCompleted",
      fmt::format("approved before approvals named a fingerprint and what the agent may serve: it counts for the key "
                  "{}{}; if the agent printed another fingerprint, revoke it",
                  spec.fingerprint, spec.allHosts ? " and for all hosts" : ""));
}

}  // namespace ingot::coordinator::agents
