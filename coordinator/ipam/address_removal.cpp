#include "coordinator/ipam/address_removal.hpp"

#include "kube/runtime/draft.hpp"

namespace ingot::coordinator::ipam {

template <class Claim>
base::Task<std::shared_ptr<const typename AddressRemoval<Claim>::Address>> AddressRemoval<Claim>::find(
    kube::ObjectKey object) {
  if (addresses_.hasSeenOwnWrites(object))
    if (auto seen = addresses_.find(object)) co_return seen;
  try {
    auto stored = co_await client_.template get<Address>(std::move(object));
    co_return stored ? std::make_shared<const Address>(std::move(*stored)) : nullptr;
  } catch (const kube::Error& error) {
    throw NotRemoved(Refusal::notRead, error);
  }
}

template <class Claim>
base::Task<void> AddressRemoval<Claim>::remove(kube::ObjectKey object, kube::ObjectKey claim) {
  const auto seen = co_await find(object);
  if (!seen || claimOf(*seen) != claim) co_return;
  kube::Draft<Address> draft(seen);
  kube::removeFinalizer(draft->metadata, KindOf<Claim>::addressFinalizer);
  try {
    if (co_await kube::save(client_, draft, &addresses_) == kube::Saved::gone) co_return;
    static_cast<void>(co_await client_.template remove<Address>(object, {.uid = draft.before().metadata.uid}));
  } catch (const kube::Error& error) {
    if (error.code() == kube::Error::Code::conflict) throw;
    if (error.code() != kube::Error::Code::notFound) throw NotRemoved(Refusal::notDeleted, error);
  }
}

template class AddressRemoval<api::ipam::IPClaim>;
template class AddressRemoval<api::capi_ipam::IPAddressClaim>;

}  // namespace ingot::coordinator::ipam
