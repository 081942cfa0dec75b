#include "coordinator/data/stray_claims.hpp"

#include "api/capm3/names.hpp"
#include "kube/runtime/finalizer.hpp"

namespace ingot::coordinator::data {

template <class Claim>
bool StrayClaims<Claim>::isHeld(const Claim& claim) {
  return claim.metadata.beingDeleted() && kube::hasFinalizer(claim.metadata, api::capm3::finalizer::data);
}

template <class Claim>
base::Task<kube::Next> StrayClaims<Claim>::run(kube::Pass<Claim>& claim) {
  if (!isHeld(*claim)) co_return kube::Next::onChange();
  const Rest rest = gate_.restOf(claim->metadata);
  if (rest != Rest::no) co_return kube::Next::after(kLookAgain);
  const auto* owner = cluster::ownerOfKind(claim->metadata, Metal3Data::info);
  if (owner != nullptr) {
    const kube::ObjectKey key{claim->metadata.namespace_, owner->name};
    const std::string uid = owner->uid;
    const auto seen = data_.find(key);
    if (data_.isUnreadable(key) || (seen && seen->metadata.uid == uid)) co_return kube::Next::onChange();
    const auto stored = co_await this->world().client.template get<Metal3Data>(key);
    if (stored && stored->metadata.uid == uid) co_return kube::Next::after(kLookAgain);
  }
  kube::removeFinalizer(claim->metadata, api::capm3::finalizer::data);
  co_await claim.save();
  co_return kube::Next::onChange();
}

template class StrayClaims<IPClaim>;
template class StrayClaims<IPAddressClaim>;

}  // namespace ingot::coordinator::data
