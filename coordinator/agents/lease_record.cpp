#include "coordinator/agents/lease_record.hpp"

#include "api/bmh/baremetalhost.hpp"
#include "api/bmh/carried_term.hpp"
#include "kube/core/error.hpp"
#include "kube/core/metadata_of.hpp"
#include "kube/runtime/draft.hpp"
#include "kube/runtime/finalizer.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr auto clocksDiffer = std::chrono::hours(24);

std::optional<std::int64_t> termOf(const kube::ObjectMeta& agent) {
  const std::string* text = agent.annotation(std::string(termAnnotation));
  if (text == nullptr) return std::nullopt;
  std::int64_t term = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), term);
  const bool isTerm = error == std::errc() && end == text->data() + text->size() && term >= 0;
  return isTerm ? std::optional(term) : std::nullopt;
}

bool isWritten(const api::ProvisioningAgent& agent) { return kube::hasFinalizer(agent.metadata, leasesFinalizer); }

bool isWrittenFor(const api::ProvisioningAgent& agent, std::int64_t term) {
  return isWritten(agent) && termOf(agent.metadata) == term;
}

// Where the kind is not installed there are none.
template <kube::Kind T>
base::Task<std::vector<kube::MetadataOf<T>>> listAny(kube::Client& client, kube::ListQuery query) {
  try {
    co_return co_await client.list<kube::MetadataOf<T>>(std::move(query));
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::notFound) throw;
  }
  co_return std::vector<kube::MetadataOf<T>>{};
}

}  // namespace

std::optional<std::int64_t> recordedTerm(const kube::ObjectMeta& agent, base::WallTime now) {
  const auto term = termOf(agent);
  const auto latest = std::chrono::floor<std::chrono::seconds>((now + clocksDiffer).time_since_epoch()).count();
  return term && *term <= latest ? term : std::nullopt;
}

std::string recordedKey(const kube::ObjectMeta& agent) {
  const std::string* key = agent.annotation(std::string(keyAnnotation));
  return key == nullptr ? std::string() : *key;
}

base::Task<std::int64_t> leastTerm(kube::Client& client, base::WallTime now, LeastTermOptions options) {
  std::int64_t least = 0;
  for (const auto& agent : co_await listAny<api::ProvisioningAgent>(client, {}))
    if (const auto term = recordedTerm(agent.metadata, now)) least = std::max(least, *term + 1);
  if (!options.seal) co_return least;
  if (options.namespaces.empty()) options.namespaces.emplace_back();
  for (const auto& namespace_ : options.namespaces) {
    const kube::ListQuery moved{.namespace_ = namespace_, .labelSelector = std::string(api::label::term)};
    for (const auto& host : co_await listAny<api::BareMetalHost>(client, moved))
      for (const auto& carried : options.seal->on(host.metadata)) least = std::max(least, carried.least(options.lease));
  }
  co_return least;
}

RecordMove recordMove(const api::ProvisioningAgent& agent, std::int64_t term, RecordNeed need, bool withdrawing) {
  if (!isWritten(agent)) return need.wanted && !agent.metadata.beingDeleted() ? RecordMove::add : RecordMove::none;
  if (withdrawing || (!need.wanted && !need.mayHold)) return RecordMove::remove;
  return need.wanted && !isWrittenFor(agent, term) ? RecordMove::add : RecordMove::none;
}

LeaseRecord::LeaseRecord(base::Runtime runtime, kube::Client& client, kube::Cache<api::ProvisioningAgent>& cache,
                         Rights rights)
    : runtime_(std::move(runtime)), client_(client), cache_(cache), rights_(std::move(rights)) {
  subscription_ = cache_.listen([this](const auto& change) {
    if (!change.after || !isWritten(*change.after)) withdrawing_.erase(change.key);
  });
}

bool LeaseRecord::holds(const api::ProvisioningAgent& agent) const {
  return isWrittenFor(agent, rights_.term) && !withdrawing_.contains(agent.metadata.key());
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
    const auto move = recordMove(*agent, rights_.term, judge(*agent), withdrawing_.contains(agent->metadata.key()));
    if (move != RecordMove::none) co_await bringInStep(agent, move);
  }
}

base::Task<void> LeaseRecord::bringInStep(std::shared_ptr<const api::ProvisioningAgent> agent, RecordMove move) {
  const auto key = agent->metadata.key();
  kube::Draft<api::ProvisioningAgent> draft(agent);
  if (move == RecordMove::add) {
    kube::addFinalizer(draft->metadata, leasesFinalizer);
    draft->metadata.annotations[std::string(termAnnotation)] = std::to_string(rights_.term);
    if (!rights_.key.empty()) draft->metadata.annotations[std::string(keyAnnotation)] = rights_.key;
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
    if (moved)
      runtime_.log.debug("an agent's leases are recorded later", {{"agent", key.name}, {"error", error.what()}});
    else
      warn(key.name, error.what());
  } catch (const base::Error& error) {
    warn(key.name, error.what());
  }
}

// It is tried again each second: one word a minute is enough.
void LeaseRecord::warn(const std::string& agent, const char* error) {
  const auto now = runtime_.clock.now();
  if (now < warnAgainAt_) return;
  warnAgainAt_ = now + std::chrono::minutes(1);
  runtime_.log.warn("could not record an agent's leases, so that it is given none",
                    {{"agent", agent}, {"error", error}});
}

}  // namespace ingot::coordinator::agents
