#include "coordinator/data/address_claims.hpp"

#include "api/capi/pause.hpp"
#include "api/capm3/names.hpp"
#include "coordinator/data/creation.hpp"
#include "kube/core/object_reference.hpp"
#include "kube/runtime/draft.hpp"
#include "kube/runtime/finalizer.hpp"
#include "kube/runtime/not_ready.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ingot::coordinator::data {
namespace {

using Code = kube::Error::Code;

template <class Claim>
std::vector<std::string> ownerUids(const Claim& claim) {
  const auto* owner = cluster::ownerOfKind(claim.metadata, Metal3Data::info);
  return owner == nullptr ? std::vector<std::string>{} : std::vector{owner->uid};
}

std::string nameFor(const std::string& owner, const std::string& pool) { return owner + "-" + pool; }

// Of a claim in deletion: its data go on with the address that it has.
template <class Claim>
bool staysInUse(const Claim& claim) {
  return ClaimKind<Claim>::keepsAddress && !ClaimKind<Claim>::addressName(claim).empty();
}

// No machine can have learned of an address of this claim.
template <class Claim>
bool isUnused(const Claim& claim, const Taker& taker) {
  const bool isRefused = ClaimKind<Claim>::addressName(claim).empty() && !ClaimKind<Claim>::refusal(claim).empty();
  return isRefused || taker.rendered == Rendered::nothing;
}

// Of a claim in deletion that others own, or nobody: it was made for data that were called like these, or somebody took
// it from them before an address of it was used.
template <class Claim>
bool isOfEarlier(const Claim& claim, const Taker& taker) {
  if (const auto* owner = cluster::ownerOfKind(claim.metadata, Metal3Data::info))
    return owner->name == taker.data.metadata.name;
  return formerOwners(claim) == std::vector{taker.data.metadata.key()} && isUnused(claim, taker);
}

// A label holds no more.
void label(kube::ObjectMeta& metadata, std::string_view key, const std::string& value) {
  constexpr std::size_t longest = 63;
  if (value.size() <= longest) metadata.labels[std::string(key)] = value;
}

}  // namespace

template <class Claim>
ClaimsOf<Claim>::ClaimsOf(base::Runtime runtime, kube::Client& client, kube::Cache<Claim>& claims,
                          kube::Cache<Address>& addresses, const ClaimWaits& waits, NamedBy namedBy)
    : runtime_(std::move(runtime)),
      client_(client),
      claims_(claims),
      addresses_(addresses),
      waits_(waits),
      namedBy_(namedBy),
      byOwner_(claims, ownerUids<Claim>),
      unowned_(claims, formerOwners<Claim>) {}

template <class Claim>
base::Task<typename ClaimsOf<Claim>::Found> ClaimsOf<Claim>::addressFrom(Pool pool, Taker taker) {
  const Metal3Data& data = taker.data;
  const std::string& space = data.metadata.namespace_;
  if (const auto own = claims_.find({space, nameFor(data.metadata.name, pool.name)}))
    co_return co_await judge(*own, pool.name, taker);
  if constexpr (Kind::maybeNamedByHost) {
    const auto named = claims_.find({space, nameFor(taker.host, pool.name)});
    const bool isWanted = named && (namedBy_ == NamedBy::host || named->metadata.ownedBy(data.metadata.uid));
    if (isWanted) co_return co_await judge(*named, pool.name, taker);
  }
  co_return co_await create(claimFor(pool, data, taker.host), pool, taker);
}

template <class Claim>
Claim ClaimsOf<Claim>::claimFor(const Pool& pool, const Metal3Data& data, const std::string& host) const {
  Claim claim;
  const bool byHost = Kind::maybeNamedByHost && namedBy_ == NamedBy::host;
  claim.metadata.name = nameFor(byHost ? host : data.metadata.name, pool.name);
  claim.metadata.namespace_ = data.metadata.namespace_;
  claim.metadata.labels = data.metadata.labels;
  if (byHost) {
    label(claim.metadata, api::capm3::label::dataName, data.metadata.name);
    label(claim.metadata, api::capm3::label::poolName, pool.name);
  }
  claim.metadata.finalizers = {std::string(api::capm3::finalizer::data)};
  kube::OwnerReference owner = kube::ownerReferenceTo(data, false);
  owner.controller = true;
  claim.metadata.ownerReferences = {std::move(owner)};
  Kind::ask(claim, pool.name, pool.kind);
  if (!pool.finalizer.empty()) kube::addFinalizer(claim.metadata, pool.finalizer);
  return claim;
}

template <class Claim>
base::Task<typename ClaimsOf<Claim>::Found> ClaimsOf<Claim>::create(Claim claim, Pool pool, Taker taker) {
  const kube::ObjectKey key = claim.metadata.key(), data = taker.data.metadata.key();
  Asked& asked = asked_[data][key];
  asked = {.at = runtime_.clock.now(), .maybeLost = true};
  std::optional<kube::Error> refused;
  try {
    static_cast<void>(co_await client_.create(std::move(claim)));
  } catch (const kube::Error& error) {
    refused = error;
  }
  const bool isSettled = !refused || refused->code() == Code::alreadyExists || isRefusal(*refused);
  if (isSettled) asked_[data][key].maybeLost = false;
  if (!refused) co_return fmt::format("it was asked for just now");
  if (refused->code() != Code::alreadyExists) {
    if (!isRefusal(*refused)) throw kube::Error(*refused);
    throw Hindrance::problem("AddressClaimRefused",
                             fmt::format("{} {} cannot be made: {}", Claim::info.kind, key.name, refused->what()));
  }
  auto stored = co_await client_.template get<Claim>(key);
  if (!stored) co_return fmt::format("{} {} was there and is gone", Claim::info.kind, key.name);
  co_return co_await judge(std::move(*stored), pool.name, std::move(taker));
}

template <class Claim>
base::Task<typename ClaimsOf<Claim>::Found> ClaimsOf<Claim>::judge(Claim claim, std::string pool, Taker taker) {
  const std::string name = fmt::format("{} {}", Claim::info.kind, claim.metadata.name);
  const bool isLeaving = claim.metadata.beingDeleted();
  const bool isHeld = isLeaving && kube::hasFinalizer(claim.metadata, api::capm3::finalizer::data);
  if (!claim.metadata.ownedBy(taker.data.metadata.uid)) {
    if (!isLeaving) co_return name + " is somebody else's";
    if (isHeld && isOfEarlier(claim, taker)) co_await giveBack(std::move(claim));
    co_return name + ", of other data, is going away";
  }
  if (isLeaving && !staysInUse(claim)) {
    if (isHeld && isUnused(claim, taker)) co_await giveBack(std::move(claim));
    co_return name + " is going away";
  }
  if (const std::string refusal = Kind::refusal(claim); !refusal.empty())
    throw Hindrance::problem("AddressRefused", fmt::format("IP Allocation for {} failed : {}", pool, refusal));
  const std::string addressName = Kind::addressName(claim);
  if (addressName.empty()) {
    const std::string why = waits_.whyOf({Claim::info.kind, claim.metadata.key()});
    co_return fmt::format("{} has no address yet{}{}", name, why.empty() ? "" : ": ", why);
  }
  const auto address = addresses_.find({claim.metadata.namespace_, addressName});
  if (!address) co_return fmt::format("IPAddress {} of {} is not there", addressName, name);
  if (!isAddressOf(*address, claim))
    co_return fmt::format("IPAddress {} is not for {}, or is going away", addressName, name);
  co_return Kind::resultOf(*address);
}

template <class Claim>
base::Task<void> ClaimsOf<Claim>::release(Metal3Data data) {
  std::vector<kube::ObjectKey> keys = byOwner_.copy(data.metadata.uid);
  std::ranges::copy(unowned_.find(data.metadata.key()), std::back_inserter(keys));
  for (const kube::ObjectKey& key : keys)
    if (const auto claim = claims_.find(key)) co_await giveBack(*claim);
  co_await giveBackUnseen(data);
  requireReadable(data);
}

// Claims that were made a moment ago, or may be made, and that no cache shows yet.
template <class Claim>
base::Task<void> ClaimsOf<Claim>::giveBackUnseen(Metal3Data data) {
  const auto known = asked_.find(data.metadata.key());
  if (known == asked_.end()) co_return;
  const auto asked = known->second;  // it may change while we wait
  for (const auto& [key, request] : asked) {
    if (claims_.find(key)) continue;
    auto stored = co_await client_.template get<Claim>(key);
    if (stored && stored->metadata.ownedBy(data.metadata.uid)) {
      co_await giveBack(std::move(*stored));
      continue;
    }
    const base::Duration passed = runtime_.clock.now() - request.at;
    if (!stored && request.maybeLost && passed < kLostAnswer)
      throw kube::NotReady("a claim may still be made for it", kLostAnswer - passed);
  }
}

// By its name alone; it may as well be of data whose name begins so.
template <class Claim>
void ClaimsOf<Claim>::requireReadable(const Metal3Data& data) const {
  const std::string prefix = data.metadata.name + "-";
  for (const kube::ObjectKey& key : claims_.unreadable())
    if (key.namespace_ == data.metadata.namespace_ && key.name.starts_with(prefix) && !claims_.find(key))
      throw Hindrance::late("ClaimUnreadable",
                            fmt::format("{} {} may be its own, and cannot be read", Claim::info.kind, key.name));
}

template <class Claim>
base::Task<void> ClaimsOf<Claim>::giveBack(Claim claim) {
  const std::string uid = claim.metadata.uid;
  const bool isLeaving = claim.metadata.beingDeleted();
  kube::Draft<Claim> draft(std::move(claim));
  const bool wasHeld = kube::removeFinalizer(draft->metadata, api::capm3::finalizer::data);
  try {
    if (wasHeld && co_await kube::save(client_, draft) == kube::Saved::gone) co_return;
    if (!isLeaving) static_cast<void>(co_await client_.template remove<Claim>(draft.key(), {.uid = uid}));
  } catch (const kube::Error& error) {
    if (error.code() != Code::notFound) throw;
  }
}

template class ClaimsOf<IPClaim>;
template class ClaimsOf<IPAddressClaim>;

AddressClaims::AddressClaims(base::Runtime runtime, kube::Client& client, AddressCaches& caches,
                             kube::Cache<api::capi::Cluster>& clusters, NamedBy namedBy, bool allPools)
    : pools_(caches.pools),
      clusters_(clusters),
      allPools_(allPools),
      metal3_(runtime, client, caches.claims, caches.addresses, caches.waits, namedBy),
      capi_(runtime, client, caches.capiClaims, caches.capiAddresses, caches.waits, namedBy) {}

base::Task<cloudinit::PoolAddresses> AddressClaims::gather(PoolReferences pools, Taker taker) {
  cloudinit::PoolAddresses addresses;
  std::vector<std::string> pending;
  std::optional<Hindrance> refused;  // the other claims are made all the same
  for (const auto& [name, kind] : pools) {
    std::variant<cloudinit::PoolAddress, std::string> found;
    try {
      if (kind.isMetal3())
        found = co_await metal3_.addressFrom({name, kind, finalizerOf({taker.data.metadata.namespace_, name})}, taker);
      else
        found = co_await capi_.addressFrom({name, kind}, taker);
    } catch (const Hindrance& problem) {
      refused = refused.value_or(problem);
      continue;
    }
    if (auto* address = std::get_if<cloudinit::PoolAddress>(&found)) {
      addresses.emplace(name, std::move(*address));
      continue;
    }
    const bool noPool = kind.isMetal3() && isMissing({taker.data.metadata.namespace_, name});
    const std::string why = noPool ? "there is no such IPPool" : std::get<std::string>(found);
    pending.push_back(fmt::format("{} {} ({})", kind.kind, name, why));
  }
  if (refused) throw Hindrance(*refused);
  if (pending.empty()) co_return addresses;
  throw Hindrance::late("WaitingForAddresses", fmt::format("waiting for addresses of {}", fmt::join(pending, ", ")));
}

// Our address management would add it before it makes the address: a write less, where it is sure to answer, and so to
// take it off again.
std::string_view AddressClaims::finalizerOf(const kube::ObjectKey& pool) const {
  const auto found = pools_.find(pool);
  return found && isAtWork(*found) ? api::ipam::finalizer::claim : std::string_view();
}

bool AddressClaims::isAtWork(const api::ipam::IPPool& pool) const {
  const kube::ObjectMeta& metadata = pool.metadata;
  if (metadata.beingDeleted() || !kube::hasFinalizer(metadata, api::ipam::finalizer::pool)) return false;
  if (api::capi::isPaused(metadata)) return false;
  const std::string cluster = pool.spec.clusterName.value_or("");
  if (cluster.empty()) return true;
  const auto found = clusters_.find({metadata.namespace_, cluster});
  return found && !found->paused();
}

bool AddressClaims::isMissing(const kube::ObjectKey& pool) const {
  return allPools_ && pools_.isSynced() && !pools_.find(pool) && !pools_.isUnreadable(pool);
}

base::Task<void> AddressClaims::release(Metal3Data data) {
  co_await metal3_.release(data);
  co_await capi_.release(data);
}

void AddressClaims::forget(const kube::ObjectKey& data) {
  metal3_.forget(data);
  capi_.forget(data);
}

}  // namespace ingot::coordinator::data
