#include "coordinator/ipam/address_books.hpp"

#include "coordinator/ipam/naming.hpp"

#include <algorithm>
#include <iterator>

namespace ingot::coordinator::ipam {

AddressBooks::AddressBooks(kube::Cache<api::ipam::IPAddress>& addresses,
                           kube::Cache<api::capi_ipam::IPAddress>& capiAddresses)
    : addresses_(addresses),
      capiAddresses_(capiAddresses),
      subscription_(addresses.listen([this](const auto& change) { follow<api::ipam::IPAddress>(change); })),
      capiSubscription_(
          capiAddresses.listen([this](const auto& change) { follow<api::capi_ipam::IPAddress>(change); })) {}

namespace {

template <class Address>
constexpr ClaimKind kindOf = std::is_same_v<Address, api::ipam::IPAddress> ? ClaimKind::metal3 : ClaimKind::capi;

}  // namespace

std::vector<std::string> AddressBooks::objectsOf(const kube::ObjectKey& pool, const ClaimKey& claim) const {
  const auto at = pages_.find(pool);
  return at == pages_.end() ? std::vector<std::string>{} : at->second.book.objectsOf(claim);
}

PoolBook& AddressBooks::of(const api::ipam::IPPool& pool) { return pageOf(pool).book; }

AddressBooks::Version AddressBooks::versionOf(const api::ipam::IPPool& pool) {
  const Page& page = pageOf(pool);
  return {page.number, page.book.version()};
}

AddressBooks::Page& AddressBooks::pageOf(const api::ipam::IPPool& pool) {
  const std::string& uid = pool.metadata.uid;
  const std::int64_t generation = pool.metadata.generation;
  auto unreadable = unreadableIn(pool.metadata.namespace_);
  const auto at = pages_.find(pool.metadata.key());
  const bool isPresent = at != pages_.end() && at->second.uid == uid && at->second.generation == generation &&
                         at->second.unreadable == unreadable;
  if (isPresent) return at->second;
  PoolBook book = made(pool, unreadable);
  Page written{uid, generation, std::move(unreadable), ++lastNumber_, std::move(book)};
  Page& page = pages_.insert_or_assign(pool.metadata.key(), std::move(written)).first->second;
  for (const auto& address : page.book.contested()) tellIfHeldTwice(pool.metadata.key(), page.book, address);
  return page;
}

AddressBooks::Unreadable AddressBooks::unreadableIn(const std::string& namespace_) const {
  Unreadable out;
  for (const auto* cache :
       {static_cast<const kube::CacheBase*>(&addresses_), static_cast<const kube::CacheBase*>(&capiAddresses_)}) {
    if (!cache->anyUnreadableIn(namespace_)) continue;
    std::ranges::copy(cache->unreadableIn(namespace_), std::inserter(out.keys, out.keys.end()));
    out.wholeKind = out.wholeKind || cache->isUnreadable({namespace_, ""});  // no object is called so
  }
  return out;
}

PoolBook AddressBooks::made(const api::ipam::IPPool& pool, const Unreadable& unreadable) const {
  PoolBook book(pool);
  for (const auto& address : addresses_.all(pool.metadata.namespace_)) book.add(*address);
  for (const auto& address : capiAddresses_.all(pool.metadata.namespace_)) book.add(*address);
  std::apply(
      [&book](const auto&... kinds) {
        const auto addAll = [&book](const auto& all) {
          for (const auto& [claim, address] : all) book.add(address);
        };
        (addAll(kinds), ...);
      },
      unconfirmed_);
  reserveUnreadable(book, pool, unreadable.wholeKind);
  return book;
}

std::vector<std::string> AddressBooks::unknownIn(const std::string& namespace_) const {
  std::vector<std::string> names;
  const auto collect = [&](const auto& cache) {
    for (const auto& key : cache.unreadableIn(namespace_))
      if (!cache.find(key)) names.push_back(key.name);
  };
  collect(addresses_);
  collect(capiAddresses_);
  return names;
}

// The pool showed the address of an unreadable object when it could be read; otherwise its name tells it. What is shown
// stays shown: nothing else may tell of it.
void AddressBooks::reserveUnreadable(PoolBook& book, const api::ipam::IPPool& pool, bool wholeKind) const {
  const std::vector<std::string> names = unknownIn(pool.metadata.namespace_);
  if (names.empty() && !wholeKind) return;
  for (const auto& [claim, address] : pool.status.indexes)
    if (!book.isInUse(address)) book.reserve(claim, address);
  for (const std::string& name : names) {
    const auto address = addressIn(pool.spec.namePrefix, name);
    if (address && !book.isInUse(*address)) book.reserve(*address);
  }
}

template <class Address>
bool AddressBooks::avoid(const api::ipam::IPPool& pool, const Address& inTheWay, base::IpAddress address) {
  const kube::ObjectKey object = inTheWay.metadata.key();
  bool isShown = false;
  if constexpr (kindOf<Address> == ClaimKind::metal3)
    isShown = addresses_.find(object) != nullptr;
  else
    isShown = capiAddresses_.find(object) != nullptr;
  if (!isShown) return false;
  of(pool).avoid({kindOf<Address>, object.name}, address);
  avoided_[{kindOf<Address>, object}].insert(pool.metadata.key());
  return true;
}

template <class Address>
void AddressBooks::noteGone(const kube::ObjectKey& object) {
  const auto avoided = avoided_.extract({kindOf<Address>, object});
  if (avoided.empty()) return;
  for (const auto& pool : avoided.mapped())
    if (const auto at = pages_.find(pool); at != pages_.end())
      at->second.book.avoidNoMore({kindOf<Address>, object.name});
}

template <class Address>
PoolBook* AddressBooks::bookOf(const Address& address) {
  const auto pool = poolOf(address);
  const auto at = pool ? pages_.find(*pool) : pages_.end();
  return at == pages_.end() ? nullptr : &at->second.book;
}

template <class Address>
void AddressBooks::follow(const typename kube::Cache<Address>::Change& change) {
  const bool sameAddress = change.before && change.after && change.before->spec == change.after->spec;
  if (sameAddress) return;
  if (change.before) noteGone<Address>(change.key);
  if (change.before)
    if (auto* book = bookOf(*change.before)) book->remove(*change.before);
  if (!change.after) return;
  if (auto* book = bookOf(*change.after)) {
    book->add(*change.after);
    tellIfHeldTwice(*poolOf(*change.after), *book, change.after->spec.address);
  }
  const auto given = unconfirmed<Address>().find(claimOf(*change.after));
  if (given != unconfirmed<Address>().end() && given->second.metadata.name == change.key.name) {
    unconfirmed<Address>().erase(given);
  }
}

void AddressBooks::tellIfHeldTwice(const kube::ObjectKey& pool, const PoolBook& book,
                                   const std::string& address) const {
  auto holders = book.rivalsFor(address);
  if (!holders.empty()) heldTwice_.tell({pool, address, std::move(holders)});
}

template <class Address>
void AddressBooks::withdraw(const kube::ObjectKey& claim) {
  const auto given = unconfirmed<Address>().find(claim);
  if (given == unconfirmed<Address>().end()) return;
  if (auto* book = bookOf(given->second)) book->remove(given->second);
  unconfirmed<Address>().erase(given);
}

template bool AddressBooks::avoid<api::ipam::IPAddress>(const api::ipam::IPPool&, const api::ipam::IPAddress&,
                                                        base::IpAddress);
template bool AddressBooks::avoid<api::capi_ipam::IPAddress>(const api::ipam::IPPool&, const api::capi_ipam::IPAddress&,
                                                             base::IpAddress);
template void AddressBooks::withdraw<api::ipam::IPAddress>(const kube::ObjectKey&);
template void AddressBooks::withdraw<api::capi_ipam::IPAddress>(const kube::ObjectKey&);

}  // namespace ingot::coordinator::ipam
