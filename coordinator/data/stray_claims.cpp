#include "coordinator/data/stray_claims.hpp"

#include "api/capm3/names.hpp"
#include "kube/runtime/finalizer.hpp"

namespace ingot::coordinator::data {

namespace {

// The data that give a claim back: its owner, or those that somebody took it from, which may use its address.
struct OwnData {
  kube::ObjectKey key;
  std::string uid;  // "": whichever

  [[nodiscard]] bool is(const Metal3Data& data) const { return uid.empty() || data.metadata.uid == uid; }
};

template <class Claim>
std::vector<OwnData> dataOf(const Claim& claim) {
  if (const auto* owner = cluster::ownerOfKind(claim.metadata, Metal3Data::info))
    return {{{claim.metadata.namespace_, owner->name}, owner->uid}};
  std::vector<OwnData> all;
  for (const auto& key : formerOwners(claim)) all.push_back({key, ""});
  return all;
}

}  // namespace

template <class Claim>
bool StrayClaims<Claim>::isHeld(const Claim& claim) {
  return claim.metadata.beingDeleted() && kube::hasFinalizer(claim.metadata, api::capm3::finalizer::data);
}

template <class Claim>
base::Task<kube::Next> StrayClaims<Claim>::run(kube::Pass<Claim>& claim) {
  if (!isHeld(*claim)) co_return kube::Next::onChange();
  const Rest rest = gate_.restOf(claim->metadata);
  if (rest != Rest::no) co_return kube::Next::after(kLookAgain);
  for (const OwnData& own : dataOf(*claim)) {
    const auto seen = data_.find(own.key);
    if (data_.isUnreadable(own.key)) co_return kube::Next::after(kLookAgain);  // nobody tells when it goes
    if (seen && own.is(*seen)) co_return kube::Next::onChange();
    const auto stored = co_await this->world().client.template get<Metal3Data>(own.key);
    if (stored && own.is(*stored)) co_return kube::Next::after(kLookAgain);
  }
  kube::removeFinalizer(claim->metadata, api::capm3::finalizer::data);
  co_await claim.save();
  co_return kube::Next::onChange();
}

template class StrayClaims<IPClaim>;
template class StrayClaims<IPAddressClaim>;

}  // namespace ingot::coordinator::data
