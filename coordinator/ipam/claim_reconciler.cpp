#include "coordinator/ipam/claim_reconciler.hpp"

#include "api/ipam/names.hpp"
#include "base/cut_text.hpp"
#include "coordinator/ipam/answers.hpp"
#include "coordinator/ipam/claim_status.hpp"
#include "kube/runtime/finalizer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ingot::coordinator::ipam {
namespace {

using Code = kube::Error::Code;

// How many names that other objects already have are passed over before the rest waits for the next pass.
constexpr int kNamesPassedOver = 16;
constexpr base::Duration kPoolMayCome = std::chrono::seconds(5);      // before that it is not there is told
constexpr base::Duration kServedElsewhere = std::chrono::minutes(1);  // before that it is not is told
constexpr std::size_t kMostOfText = 512;
constexpr base::Duration kUnshownPool = std::chrono::minutes(10);  // the same looked at again

// The claim needs one certain address: it requests one, or the pool keeps one for it.
template <class Claim>
bool isFixed(const Claim& claim, const api::ipam::IPPool& pool) {
  const std::string* requested = claim.metadata.annotation(std::string(api::ipam::kRequestedAddress));
  return (requested && !requested->empty()) || pool.spec.preAllocations.contains(claim.metadata.name);
}

}  // namespace

template <class Claim>
ClaimReconciler<Claim>::ClaimReconciler(base::Runtime runtime, kube::PassWorld<Claim> world,
                                        kube::Cache<Address>& addresses, Pools& pools, UnseenClusters& unseenClusters,
                                        AddressBooks& books, ClaimWaits& waits, Retry retry)
    : kube::ObjectReconciler<Claim>(std::move(world)),
      runtime_(std::move(runtime)),
      addresses_(addresses),
      pools_(pools),
      unseenClusters_(unseenClusters),
      books_(books),
      waits_(waits),
      retry_(retry),
      removal_(this->world().client, addresses) {}

template <class Claim>
base::Task<kube::Next> ClaimReconciler<Claim>::run(kube::Pass<Claim>& claim) {
  const AtEnd atEnd{*this, claim.key()};
  std::optional<Failure> failure;
  try {
    const kube::Next next = co_await act(claim);
    errors_.over(claim.key());
    co_return next;
  } catch (const kube::Error& error) {
    failure = Failure{std::nullopt, error};
  } catch (const NotRemoved& error) {
    failure = Failure{error.step(), error.why()};
  }
  if (isFailure(failure->why)) co_await tellFailure(claim, *failure);
  throw kube::Error(failure->why);
}

// What is only now and then in the way is not told; a refusal to take its address away is, at once.
template <class Claim>
base::Task<void> ClaimReconciler<Claim>::tellFailure(kube::Pass<Claim>& claim, Failure failure) {
  const bool isRefused = failure.step && (isRefusal(failure.why) || isDenial(failure.why));
  auto text = errors_.tell(claim->metadata, "pass", failure.why.what(), runtime_.clock.now());
  if (!text && isRefused) text = failure.why.what();
  if (!text) co_return;
  dropEdits(claim);
  if (!failure.step) co_return co_await tellBlocked(claim, fmt::format("{}{}", kApiFails, *text));
  const Refused refused{*failure.step, ""};
  const std::string why = base::cutText(fmt::format("{}: {}", refused.message(), *text), kMostOfText);
  if (waits_.note(nameOf(claim.key()), why)) claim.journal().warning("AddressNotReleased", why);
  if constexpr (std::is_same_v<Claim, api::ipam::IPClaim>) tellRefusal(*claim, refused, runtime_.clock.wall());
  co_await claim.save();
}

template <class Claim>
base::Task<kube::Next> ClaimReconciler<Claim>::act(kube::Pass<Claim>& claim) {
  const auto poolKey = poolOf(*claim);
  if (!poolKey || api::capi::isPaused(claim->metadata)) co_return kube::Next::onChange();
  switch (pools_.restOf(clusterOf(*claim))) {
    case Pools::Rest::no: break;
    case Pools::Rest::paused: co_return kube::Next::onChange();  // its Cluster brings it back
    case Pools::Rest::unknown: co_return kube::Next::after(kLookAgain);
  }
  const Pool pool = pools_.find(*poolKey);
  switch (actionOf(*claim, retry_)) {
    case ClaimAction::none:
    case ClaimAction::stillUsed: break;
    case ClaimAction::allocate: co_return co_await allocate(claim, pool);
    case ClaimAction::release: co_return co_await release(claim, pool);
  }
  co_return kube::Next::onChange();
}

template <class Claim>
void ClaimReconciler<Claim>::gone(const kube::ObjectKey& key) {
  waits_.over(nameOf(key));
  errors_.over(key);
  lostAnswers_.erase(key);
  books_.template withdraw<Address>(key);
  looked_(key);
}

// --- giving an address ---------------------------------------------------------------------------------------------

template <class Claim>
base::Task<kube::Next> ClaimReconciler<Claim>::allocate(kube::Pass<Claim>& claim, Pool pool) {
  if (const std::string why = whyNever(*claim); !why.empty()) {
    co_await tellBlocked(claim, why);
    co_return kube::Next::onChange();  // spec.pool cannot be changed
  }
  if (!pool) {
    if (pools_.isUnreadable(*poolOf(*claim))) {
      co_await tellBlocked(claim, fmt::format("pool {} cannot be read", poolOf(*claim)->text()));
      co_return kube::Next::after(kLookAgain);
    }
    if (const auto left = untilMissed(*claim); left > base::Duration{}) co_return kube::Next::after(left);
    if (co_await isServedElsewhere(*poolOf(*claim))) co_return co_await notShown(claim);
    co_await tellBlocked(claim, "there is no pool " + poolOf(*claim)->text());
    co_return kube::Next::onChange();  // its pool brings it back
  }
  if (!pools_.gives(*pool)) co_return co_await restWith(claim, *pool);
  if (co_await unseenClusters_.isPaused(clusterOf(*claim))) co_return kube::Next::after(kLookAgain);
  co_await review(*claim, pool);
  for (int passedOver = 0; passedOver < kNamesPassedOver && isStill(*pool); ++passedOver) {
    Plan plan = planFor(*claim, *pool);
    if (const auto* taken = std::get_if<Taken>(&plan)) {
      co_return co_await blocked(claim, taken->address.text() + " is kept for it, and somebody else has it");
    }
    if (const auto* taken = std::get_if<NameTaken>(&plan)) {
      co_return co_await blocked(
          claim, fmt::format("{} of pool {} is free, but the name that its IPAddress would have is another one's",
                             taken->address.text(), pool->metadata.name));
    }
    if (auto* refused = std::get_if<Refused>(&plan)) co_return co_await tell(claim, std::move(*refused));
    kube::addFinalizer(claim->metadata, KindOf<Claim>::claimFinalizer);
    co_await claim.save();
    if (!isStill(*pool)) break;
    Outcome outcome = co_await carryOut(std::move(plan), *claim, pool);
    const auto* inTheWay = std::get_if<InTheWay>(&outcome);
    if (!inTheWay) co_return co_await tell(claim, std::move(outcome));
    claim.journal().warning("AddressNameTaken", inTheWay->why);
    runtime_.log.warn("an address is passed over", {{"claim", claim.key().text()}, {"why", inTheWay->why}});
  }
  co_await claim.save();
  co_return kube::Next::now();
}

// What is decided on a pool counts while that is as it was.
template <class Claim>
bool ClaimReconciler<Claim>::isStill(const api::ipam::IPPool& pool) const {
  const Pool present = pools_.find(pool.metadata.key());
  return present && present->metadata.uid == pool.metadata.uid &&
         present->metadata.generation == pool.metadata.generation && pools_.gives(*present);
}

// Claims are made together with their pool and its Cluster, and may be seen first.
template <class Claim>
base::Duration ClaimReconciler<Claim>::untilMissed(const Claim& claim) const {
  const base::WallTime made = claim.metadata.creationTimestamp.value_or(base::WallTime{});
  return std::min<base::Duration>(made + kPoolMayCome - runtime_.clock.wall(), kPoolMayCome);
}

// What was told before may not be true any more: its pool is there.
template <class Claim>
base::Task<kube::Next> ClaimReconciler<Claim>::restWith(kube::Pass<Claim>& claim, const api::ipam::IPPool& pool) {
  const Pools::Why why = pools_.whyNot(pool);
  const bool isTold = isToldWaiting(*claim) || !waits_.whyOf(nameOf(claim.key())).empty();
  const base::Duration left = isTold || !why.isWait ? base::Duration{} : untilMissed(*claim);
  if (left > base::Duration{}) co_return kube::Next::after(left);
  if (isTold || why.isWait) co_await tellBlocked(claim, why.text);
  co_return kube::Next::onChange();  // its pool brings it back
}

// What was given while claim or pool were others is given up, unless it exists (planFor() has it adopted) or may still
// be made.
template <class Claim>
base::Task<void> ClaimReconciler<Claim>::review(const Claim& claim, Pool pool) {
  const kube::ObjectKey key = claim.metadata.key();
  const auto* given = books_.template findUnconfirmed<Address>(key);
  if (given == nullptr || given->isFor(claim.metadata, *pool)) co_return;
  const auto stored = co_await this->world().client.template get<Address>(given->object.metadata.key());
  if (stored && isOf(*stored, claim, *pool)) co_return;
  if (const base::Duration left = lostAnswerLeft(key); left > base::Duration::zero())
    throw kube::NotReady("the address that was given before may still be made", left);
  books_.template withdraw<Address>(key);
}

// This function does not suspend, so its decision is in the book when the next claim asks.
template <class Claim>
typename ClaimReconciler<Claim>::Plan ClaimReconciler<Claim>::planFor(const Claim& claim,
                                                                      const api::ipam::IPPool& pool) {
  if (const auto* given = books_.template findUnconfirmed<Address>(claim.metadata.key())) {
    if (given->isFor(claim.metadata, pool))
      return Create<Address>{given->object};    // the outcome of the last try is not known
    return Adopt{given->object.metadata.name};  // review() has seen it
  }
  PoolBook& book = books_.of(pool);
  if (auto names = book.objectsOf({KindOf<Claim>::kind, claim.metadata.name}); !names.empty()) {
    return Adopt{std::move(names.back())};
  }
  Plan plan = decide(book, pool, claim, runtime_.random);
  if (const auto* made = std::get_if<Create<Address>>(&plan))
    books_.template given<Address>({made->object, basisOf(claim.metadata, pool)});
  return plan;
}

template <class Claim>
base::Task<typename ClaimReconciler<Claim>::Outcome> ClaimReconciler<Claim>::carryOut(Plan plan, const Claim& claim,
                                                                                      Pool pool) {
  if (auto* made = std::get_if<Create<Address>>(&plan)) co_return co_await create(std::move(made->object), claim, pool);
  // Caches lag: an address that is on its way out must not be given to a new claim of the old one's name.
  std::string name = std::get<Adopt>(plan).name;
  auto stored = co_await this->world().client.template get<Address>({claim.metadata.namespace_, name});
  if (stored && isOf(*stored, claim, *pool)) co_return co_await adopt(std::move(*stored), claim, pool);
  co_return Blocked{"IPAddress " + name + " of a claim of this name is going away"};
}

template <class Claim>
base::Task<typename ClaimReconciler<Claim>::Outcome> ClaimReconciler<Claim>::create(Address object, const Claim& claim,
                                                                                    Pool pool) {
  const kube::ObjectKey key = claim.metadata.key();
  bool isRefused = false;
  std::string refusal;
  try {
    static_cast<void>(co_await this->world().client.create(object));
    co_return Placed{.name = object.metadata.name, .fresh = true};
  } catch (const kube::Error& error) {
    const bool mayBeMade = lostAnswerLeft(key) > base::Duration::zero();  // by an earlier try
    isRefused = isRefusal(error);
    refusal = fmt::format("its IPAddress was refused: {}", error.what());
    if (!mayBeMade && (isRefused || isDenial(error))) books_.template withdraw<Address>(key);
    if (isDenial(error)) co_return Blocked{std::move(refusal)};  // the pool may be another by the next try
    if (isRefused && !mayBeMade) {
      runtime_.log.warn("an address object was refused", {{"claim", key.text()}, {"error", error.what()}});
      co_return Refused{Refusal::notCreated, ""};
    }
    if (!isRefused && error.code() != Code::alreadyExists) {
      lostAnswers_[key] = runtime_.clock.now();
      throw;
    }
  }
  auto stored = co_await this->world().client.template get<Address>({key.namespace_, object.metadata.name});
  if (stored && isOf(*stored, claim, *pool)) co_return co_await adopt(std::move(*stored), claim, pool);
  if (isRefused) co_return Blocked{std::move(refusal)};  // webhooks are asked before it shows that it is there
  books_.template withdraw<Address>(key);
  if (!stored) co_return Blocked{"another IPAddress was called " + object.metadata.name};
  co_return judgeNamesake(object, *stored, claim, *pool);
}

template <class Claim>
typename ClaimReconciler<Claim>::Outcome ClaimReconciler<Claim>::judgeNamesake(const Address& wanted,
                                                                               const Address& stored,
                                                                               const Claim& claim,
                                                                               const api::ipam::IPPool& pool) {
  std::string why = fmt::format("another IPAddress is called {}", wanted.metadata.name);
  const bool bookKnowsIt = poolOf(stored) == pool.metadata.key() && stored.spec.address == wanted.spec.address;
  const auto address = base::IpAddress::parse(wanted.spec.address);
  if (bookKnowsIt || isFixed(claim, pool) || !address) return Blocked{std::move(why)};
  if (!books_.avoid(pool, stored, *address)) return Blocked{std::move(why)};
  return InTheWay{fmt::format("{}: address {} of pool {} is passed over while it is there", why, wanted.spec.address,
                              pool.metadata.name)};
}

template <class Claim>
base::Task<typename ClaimReconciler<Claim>::Outcome> ClaimReconciler<Claim>::adopt(Address stored, const Claim& claim,
                                                                                   Pool pool) {
  const std::string name = stored.metadata.name;
  const bool madeByUs = isMadeFor<Claim>(stored, *pool);
  if (madeByUs && !stored.metadata.ownedBy(claim.metadata.uid)) {  // of a claim of this name that is gone
    kube::Draft<Address> draft(std::move(stored));
    auto& owners = draft->metadata.ownerReferences;
    std::erase_if(owners, [](const auto& owner) { return owner.kind == Claim::info.kind; });
    owners.push_back(claimReference(claim));
    static_cast<void>(co_await kube::save(this->world().client, draft, &addresses_));
  }
  co_return Placed{.name = name, .fresh = madeByUs};
}

template <class Claim>
base::Task<kube::Next> ClaimReconciler<Claim>::tell(kube::Pass<Claim>& claim, Outcome outcome) {
  if (auto* wait = std::get_if<Blocked>(&outcome)) co_return co_await blocked(claim, std::move(wait->why));
  const base::WallTime now = runtime_.clock.wall();
  begin(*claim);
  if (const auto* refused = std::get_if<Refused>(&outcome)) {
    runtime_.log.info("a claim gets no address", {{"claim", claim.key().text()}, {"why", refused->logText()}});
    tellRefusal(*claim, *refused, now);
  } else {
    const auto& placed = std::get<Placed>(outcome);
    tellAddress(*claim, placed.name);
    if constexpr (requires { tellReady(*claim, now); })
      if (placed.fresh || isToldNotReady(*claim)) tellReady(*claim, now);
  }
  waits_.over(nameOf(claim.key()));
  co_await claim.save();
  co_return kube::Next::onChange();
}

template <class Claim>
base::Task<void> ClaimReconciler<Claim>::tellBlocked(kube::Pass<Claim>& claim, std::string text) {
  const std::string why = base::cutText(text, kMostOfText);
  if (waits_.note(nameOf(claim.key()), why)) {
    runtime_.log.warn("a claim waits for its address", {{"claim", claim.key().text()}, {"why", why}});
    claim.journal().warning("WaitingForAddress", why);
  }
  if constexpr (requires { tellWaiting(*claim, why, runtime_.clock.wall()); })
    if (!claim->metadata.beingDeleted()) tellWaiting(*claim, why, runtime_.clock.wall());
  co_await claim.save();
}

template <class Claim>
base::Task<kube::Next> ClaimReconciler<Claim>::blocked(kube::Pass<Claim>& claim, std::string why) {
  co_await tellBlocked(claim, std::move(why));
  co_return kube::Next::withBackoff();
}

// --- taking it back ------------------------------------------------------------------------------------------------

template <class Claim>
base::Task<kube::Next> ClaimReconciler<Claim>::release(kube::Pass<Claim>& claim, Pool pool) {
  if (!kube::hasFinalizer(claim->metadata, KindOf<Claim>::claimFinalizer)) co_return kube::Next::onChange();
  if (!pool && pools_.isUnreadable(*poolOf(*claim))) co_return kube::Next::after(kLookAgain);  // it may go, unseen
  if (!pool && co_await isServedElsewhere(*poolOf(*claim))) co_return co_await notShown(claim);
  if (pool && !pools_.isOpen(*pool)) co_return kube::Next::onChange();  // it brings it back
  if (co_await unseenClusters_.isPaused(clusterOf(*claim))) co_return kube::Next::after(kLookAgain);
  const Pool present = pools_.find(*poolOf(*claim));  // of one that has gone meanwhile there is no book
  for (const std::string& name : objectsOf(*claim, present.get())) {
    co_await removal_.remove({claim.key().namespace_, name}, claim.key());
  }
  waitForLostAnswer(claim.key());
  books_.template withdraw<Address>(claim.key());
  kube::removeFinalizer(claim->metadata, KindOf<Claim>::claimFinalizer);
  co_await claim.save();
  co_return kube::Next::onChange();
}

template <class Claim>
base::Task<bool> ClaimReconciler<Claim>::isServedElsewhere(kube::ObjectKey pool) {
  if (pools_.areAll()) co_return false;
  try {
    const auto stored = co_await this->world().client.template get<api::ipam::IPPool>(std::move(pool));
    co_return stored.has_value();
  } catch (const kube::Error& error) {
    if (error.code() != Code::notFound) throw;
  }
  co_return false;  // there are no pools at all
}

// Another process usually serves it within moments. A pool without any one's label is served by nobody. Told by an
// Event only: its status is the other one's.
template <class Claim>
base::Task<kube::Next> ClaimReconciler<Claim>::notShown(kube::Pass<Claim>& claim) {
  const kube::ObjectMeta& metadata = claim->metadata;
  const auto since = metadata.deletionTimestamp ? metadata.deletionTimestamp : metadata.creationTimestamp;
  const base::Duration left = since.value_or(base::WallTime{}) + kServedElsewhere - runtime_.clock.wall();
  if (left > base::Duration{}) co_return kube::Next::after(std::min<base::Duration>(left, kServedElsewhere));
  const std::string why = fmt::format(
      "pool {} has not the label that --watch-filter asks for here, and nobody else has served the claim by now",
      poolOf(*claim)->text());
  if (waits_.note(nameOf(claim.key()), why)) claim.journal().warning("WaitingForAddress", why);
  co_await claim.save();  // tells it, and changes nothing
  co_return kube::Next::after(kUnshownPool);
}

// A pool that was deleted before its claims has no book, so the claim's own status names the address object.
template <class Claim>
std::set<std::string> ClaimReconciler<Claim>::objectsOf(const Claim& claim, const api::ipam::IPPool* pool) {
  std::set<std::string> names;
  if (pool != nullptr)
    for (auto& name : books_.of(*pool).objectsOf({KindOf<Claim>::kind, claim.metadata.name}))
      names.insert(std::move(name));
  if (auto name = KindOf<Claim>::addressName(claim); !name.empty()) names.insert(std::move(name));
  return names;
}

template <class Claim>
base::Duration ClaimReconciler<Claim>::lostAnswerLeft(const kube::ObjectKey& claim) const {
  const auto asked = lostAnswers_.find(claim);
  if (asked == lostAnswers_.end()) return {};
  return std::max(base::Duration::zero(), kLostAnswer - (runtime_.clock.now() - asked->second));
}

// An address object that is created after its claim has gone would belong to nobody.
template <class Claim>
void ClaimReconciler<Claim>::waitForLostAnswer(const kube::ObjectKey& claim) {
  const base::Duration left = lostAnswerLeft(claim);
  if (left > base::Duration::zero()) throw kube::NotReady("an address may still be made for it", left);
  lostAnswers_.erase(claim);
}

template class ClaimReconciler<api::ipam::IPClaim>;
template class ClaimReconciler<api::capi_ipam::IPAddressClaim>;

}  // namespace ingot::coordinator::ipam
