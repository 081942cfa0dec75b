#include "coordinator/ipam/address_reconciler.hpp"

#include "kube/client/field_selector.hpp"
#include "kube/runtime/finalizer.hpp"

#include <algorithm>

namespace ingot::coordinator::ipam {
namespace {

// The claim is there and not watched: nobody tells when it goes.
constexpr base::Duration kUnseenClaim = std::chrono::minutes(10);

}  // namespace

template <class Claim>
AddressReconciler<Claim>::AddressReconciler(base::Runtime runtime, kube::PassWorld<Address> world,
                                            kube::Cache<Claim>& claims, const Pools& pools)
    : kube::ObjectReconciler<Address>(std::move(world)), runtime_(std::move(runtime)), claims_(claims), pools_(pools) {}

template <class Claim>
base::Task<kube::Next> AddressReconciler<Claim>::run(kube::Pass<Address>& address) {
  const kube::ObjectKey claim = claimOf(*address);
  if (mayHaveClaim(*address)) {
    alone_.erase(address.key());
    const bool isSeen = claims_.find(claim) != nullptr;
    co_return isSeen ? kube::Next::onChange() : kube::Next::after(kUnseenClaim);  // nobody tells when it goes
  }
  if (address->metadata.beingDeleted()) co_return co_await letGo(address);
  const auto pool = makerOf(*address);
  if (!pool) co_return kube::Next::onChange();
  if (!pools_.isOpen(*pool)) co_return kube::Next::after(kLookAgain);
  const base::MonoTime now = runtime_.clock.now();
  const base::Duration passed = now - alone_.try_emplace(address.key(), now).first->second;
  if (passed < kLostAnswer) co_return kube::Next::after(kLostAnswer - passed);
  if (!co_await claimIsGone(*address)) co_return kube::Next::after(kUnseenClaim);
  runtime_.log.warn("an address goes back to its pool: its claim is gone",
                    {{"address", address.key().text()}, {"claim", claim.text()}});
  static_cast<void>(
      co_await this->world().client.template remove<Address>(address.key(), {.uid = address->metadata.uid}));
  co_return kube::Next::onChange();
}

template <class Claim>
bool AddressReconciler<Claim>::mayHaveClaim(const Address& address) const {
  const kube::ObjectKey claim = claimOf(address);
  if (!claims_.isSynced() || claims_.isUnreadable(claim)) return true;
  const auto seen = claims_.find(claim);
  return seen && !(address.metadata.beingDeleted() && isOfEarlier(address, *seen));
}

template <class Claim>
base::Task<kube::Next> AddressReconciler<Claim>::letGo(kube::Pass<Address>& address) {
  if (!kube::hasFinalizer(address->metadata, KindOf<Claim>::addressFinalizer)) co_return kube::Next::onChange();
  if (!co_await claimIsGone(*address)) co_return kube::Next::after(kUnseenClaim);
  kube::removeFinalizer(address->metadata, KindOf<Claim>::addressFinalizer);
  co_await address.save();
  co_return kube::Next::onChange();
}

template <class Claim>
std::shared_ptr<const api::ipam::IPPool> AddressReconciler<Claim>::makerOf(const Address& address) const {
  const auto key = poolOf(address);
  auto pool = key ? pools_.find(*key) : nullptr;
  return pool && isMadeFor<Claim>(address, *pool) ? pool : nullptr;
}

// A claim takes over what an earlier one of its name had, unless that is to go.
template <class Claim>
base::Task<bool> AddressReconciler<Claim>::claimIsGone(Address address) {
  const kube::ObjectKey claim = claimOf(address);
  const auto named = co_await this->world().client.template list<Claim>(
      {.namespace_ = claim.namespace_,
       .fieldSelector = kube::fieldIs("metadata.name", claim.name)});  // throws without the kind
  co_return std::ranges::none_of(
      named, [&](const Claim& present) { return !address.metadata.beingDeleted() || !isOfEarlier(address, present); });
}

template class AddressReconciler<api::ipam::IPClaim>;
template class AddressReconciler<api::capi_ipam::IPAddressClaim>;

}  // namespace ingot::coordinator::ipam
