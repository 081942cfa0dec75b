#include "coordinator/ipam/address_reconciler.hpp"

#include "kube/runtime/finalizer.hpp"

namespace ingot::coordinator::ipam {

template <class Claim>
AddressReconciler<Claim>::AddressReconciler(base::Runtime runtime, kube::PassWorld<Address> world,
                                            kube::Cache<Claim>& claims, const Pools& pools)
    : kube::ObjectReconciler<Address>(std::move(world)), runtime_(std::move(runtime)), claims_(claims), pools_(pools) {}

template <class Claim>
base::Task<kube::Next> AddressReconciler<Claim>::run(kube::Pass<Address>& address) {
  const kube::ObjectKey claim = claimOf(*address);
  if (mayHaveClaim(*address)) {
    alone_.erase(address.key());
    co_return kube::Next::onChange();
  }
  if (address->metadata.beingDeleted()) {
    if (kube::removeFinalizer(address->metadata, KindOf<Claim>::addressFinalizer)) co_await address.save();
    co_return kube::Next::onChange();
  }
  if (!mayBeTakenBack(*address)) co_return kube::Next::onChange();
  const base::MonoTime now = runtime_.clock.now();
  const base::Duration passed = now - alone_.try_emplace(address.key(), now).first->second;
  if (passed < kLostAnswer) co_return kube::Next::after(kLostAnswer - passed);
  if (!co_await claimIsGone(claim)) co_return kube::Next::after(kLostAnswer);
  runtime_.log.warn("an address goes back to its pool: its claim is gone",
                    {{"address", address.key().text()}, {"claim", claim.text()}});
  static_cast<void>(
      co_await this->world().client.template remove<Address>(address.key(), {.uid = address->metadata.uid}));
  co_return kube::Next::onChange();
}

template <class Claim>
bool AddressReconciler<Claim>::mayHaveClaim(const Address& address) const {
  const kube::ObjectKey claim = claimOf(address);
  return !claims_.isSynced() || claims_.find(claim) || claims_.isUnreadable(claim);
}

template <class Claim>
bool AddressReconciler<Claim>::mayBeTakenBack(const Address& address) const {
  const auto key = poolOf(address);
  const auto pool = key ? pools_.find(*key) : nullptr;
  return pool && pools_.isOpen(*pool) && isMadeFor<Claim>(address, *pool);
}

template <class Claim>
base::Task<bool> AddressReconciler<Claim>::claimIsGone(kube::ObjectKey claim) {
  const auto named = co_await this->world().client.template list<Claim>(
      {.namespace_ = claim.namespace_, .fieldSelector = "metadata.name=" + claim.name});  // throws without the kind
  co_return named.empty();
}

template class AddressReconciler<api::ipam::IPClaim>;
template class AddressReconciler<api::capi_ipam::IPAddressClaim>;

}  // namespace ingot::coordinator::ipam
