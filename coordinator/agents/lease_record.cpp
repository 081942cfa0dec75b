#include "coordinator/agents/lease_record.hpp"

#include "kube/core/error.hpp"
#include "kube/runtime/draft.hpp"
#include "kube/runtime/finalizer.hpp"

namespace ingot::coordinator::agents {

namespace {

bool isWritten(const api::ProvisioningAgent& agent) { return kube::hasFinalizer(agent.metadata, leasesFinalizer); }

}  // namespace

RecordMove recordMove(const api::ProvisioningAgent& agent, RecordNeed need, bool withdrawing) {
  if (!isWritten(agent)) return need.wanted && !agent.metadata.beingDeleted() ? RecordMove::add : RecordMove::none;
  return withdrawing || (!need.wanted && !need.mayHold) ? RecordMove::remove : RecordMove::none;
}

LeaseRecord::LeaseRecord(base::Runtime runtime, kube::Client& client, kube::Cache<api::ProvisioningAgent>& cache)
    : runtime_(std::move(runtime)), client_(client), cache_(cache) {
  subscription_ = cache_.listen([this](const auto& change) {
    if (!change.after || !isWritten(*change.after)) withdrawing_.erase(change.key);
  });
}

bool LeaseRecord::holds(const api::ProvisioningAgent& agent) const {
  return isWritten(agent) && !withdrawing_.contains(agent.metadata.key());
}

std::set<std::string> LeaseRecord::keys() const {
  std::set<std::string> keys;
  for (const auto& agent : cache_.all())
    if (isWritten(*agent)) keys.insert(agent->spec.publicKey);
  return keys;
}

base::Task<void> LeaseRecord::write(Judge judge) {
  for (const auto& listed : cache_.all()) {
    const auto agent = cache_.find(listed->metadata.key());
    if (!agent || !cache_.hasSeenOwnWrites(agent->metadata.key())) continue;
    const auto move = recordMove(*agent, judge(*agent), withdrawing_.contains(agent->metadata.key()));
    if (move != RecordMove::none) co_await bringInStep(agent, move);
  }
}

base::Task<void> LeaseRecord::bringInStep(std::shared_ptr<const api::ProvisioningAgent> agent, RecordMove move) {
  const auto key = agent->metadata.key();
  kube::Draft<api::ProvisioningAgent> draft(agent);
  if (move == RecordMove::add) {
    kube::addFinalizer(draft->metadata, leasesFinalizer);
  } else {
    withdrawing_.insert(key);  // from here on nothing is granted
    kube::removeFinalizer(draft->metadata, leasesFinalizer);
  }
  try {
    co_await kube::save(client_, draft, &cache_);
  } catch (const base::Cancelled&) {
    throw;
  } catch (const kube::Error& error) {
    const bool moved = error.code() == kube::Error::Code::conflict || error.code() == kube::Error::Code::notFound;
    if (moved) withdrawing_.erase(key);  // it was not written, for sure
    runtime_.log.debug("could not record an agent's leases", {{"agent", key.name}, {"error", error.what()}});
  } catch (const base::Error& error) {
    runtime_.log.warn("could not record an agent's leases", {{"agent", key.name}, {"error", error.what()}});
  }
}

}  // namespace ingot::coordinator::agents
