// Takes the address object of a claim away (spec/ipam.md §13): our finalizer on it first, then the object.
#pragma once

#include "coordinator/ipam/claim_action.hpp"
#include "coordinator/ipam/claim_kinds.hpp"
#include "coordinator/ipam/refusal.hpp"
#include "kube/runtime/cache.hpp"

namespace ingot::coordinator::ipam {

// The API did not let it be done (§11, E8 and E9).
class NotRemoved final : public base::Error {
 public:
  NotRemoved(Refusal what, kube::Error why) : base::Error(why.what()), what_(what), why_(std::move(why)) {}
  [[nodiscard]] Refusal step() const { return what_; }  // Refusal::notRead or notDeleted
  [[nodiscard]] const kube::Error& why() const { return why_; }

 private:
  Refusal what_;
  kube::Error why_;
};

template <class Claim>
class AddressRemoval {
 public:
  using Address = typename KindOf<Claim>::Address;

  AddressRemoval(kube::Client& client, kube::Cache<Address>& addresses) : client_(client), addresses_(addresses) {}

  // An object that names another claim stays, whoever says that it is this one's. Throws NotRemoved.
  [[nodiscard]] base::Task<void> remove(kube::ObjectKey object, kube::ObjectKey claim);

 private:
  [[nodiscard]] base::Task<std::shared_ptr<const Address>> find(kube::ObjectKey object);

  kube::Client& client_;
  kube::Cache<Address>& addresses_;
};

extern template class AddressRemoval<api::ipam::IPClaim>;
extern template class AddressRemoval<api::capi_ipam::IPAddressClaim>;

}  // namespace ingot::coordinator::ipam
