// Address objects whose claim is gone: somebody removed its finalizer, or a creation was carried out after the claim
// had gone. One that is being deleted is released. One that we made is deleted when nobody has claimed it for as long
// as a creation may be late, because only its claim would have released it. One that a user made for a future claim
// stays.
#pragma once

#include "coordinator/ipam/claim_action.hpp"
#include "coordinator/ipam/claim_kinds.hpp"
#include "coordinator/ipam/pools.hpp"
#include "kube/runtime/pass.hpp"

#include <map>

namespace ingot::coordinator::ipam {

template <class Claim>
class AddressReconciler final : public kube::ObjectReconciler<typename KindOf<Claim>::Address> {
 public:
  using Address = typename KindOf<Claim>::Address;

  AddressReconciler(base::Runtime runtime, kube::PassWorld<Address> world, kube::Cache<Claim>& claims,
                    const Pools& pools);

 protected:
  [[nodiscard]] base::Task<kube::Next> run(kube::Pass<Address>& address) override;
  void gone(const kube::ObjectKey& key) override { alone_.erase(key); }

 private:
  [[nodiscard]] bool mayHaveClaim(const Address& address) const;
  [[nodiscard]] base::Task<kube::Next> letGo(kube::Pass<Address>& address);
  // nullptr: somebody else made it, or for a pool that is gone.
  [[nodiscard]] std::shared_ptr<const api::ipam::IPPool> makerOf(const Address& address) const;
  // Asks the server, because the claim may not be watched, or its kind not be installed at the moment.
  [[nodiscard]] base::Task<bool> claimIsGone(Address address);

  base::Runtime runtime_;
  kube::Cache<Claim>& claims_;
  const Pools& pools_;
  std::map<kube::ObjectKey, base::MonoTime> alone_;  // since when we know that their claim is not there
};

extern template class AddressReconciler<api::ipam::IPClaim>;
extern template class AddressReconciler<api::capi_ipam::IPAddressClaim>;

}  // namespace ingot::coordinator::ipam
