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
  const bool isKnown = at != pages_.end() && at->second.uid == uid;
  auto told = isKnown ? std::move(at->second.told) : std::set<base::IpAddress>{};
  PoolBook book = made(pool, unreadable);
  Page written{uid, generation, std::move(unreadable), ++lastNumber_, std::move(book), std::move(told)};
  auto& page = *pages_.insert_or_assign(pool.metadata.key(), std::move(written)).first;
  tellContested(page);
  return page.second;
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
          for (const auto& [claim, given] : all) book.add(given.object);
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
AddressBooks::Pages::iterator AddressBooks::findPage(const Address& address) {
  const auto pool = poolOf(address);
  return pool ? pages_.find(*pool) : pages_.end();
}

template <class Address>
void AddressBooks::enter(const Address& object) {
  const auto page = findPage(object);
  if (page == pages_.end()) return;
  forgetSettled(page->second);
  page->second.book.add(object);
  const auto address = base::IpAddress::parse(object.spec.address);
  if (!address || !page->second.told.contains(*address)) return tellContested(*page);
  const Holder joined{{kindOf<Address>, claimOf(object).name}, object.metadata.name};
  tellOf(*page, *address, &joined);
}

template <class Address>
void AddressBooks::strike(const Address& object) {
  const auto page = findPage(object);
  if (page == pages_.end()) return;
  page->second.book.remove(object);
  tellContested(*page);
}

template <class Address>
void AddressBooks::follow(const typename kube::Cache<Address>::Change& change) {
  const bool sameAddress = change.before && change.after && change.before->spec == change.after->spec;
  if (sameAddress) return;
  if (change.before) noteGone<Address>(change.key);
  if (change.before) strike(*change.before);
  if (!change.after) return;
  enter(*change.after);
  const auto given = unconfirmed<Address>().find(claimOf(*change.after));
  if (given != unconfirmed<Address>().end() && given->second.object.metadata.name == change.key.name) {
    unconfirmed<Address>().erase(given);
  }
}

void AddressBooks::forgetSettled(Page& page) {
  const auto& contested = page.book.holders().contested();
  std::erase_if(page.told, [&](base::IpAddress address) { return !contested.contains(address); });
}

// Those that are not told yet: in room that others left, too.
void AddressBooks::tellContested(Pages::value_type& page) {
  forgetSettled(page.second);
  auto& told = page.second.told;
  const auto& contested = page.second.book.holders().contested();
  for (auto at = contested.begin(); at != contested.end() && told.size() < kMostToldOf; ++at)
    if (told.insert(at->first).second) tellOf(page, at->first, nullptr);
}

void AddressBooks::tellOf(const Pages::value_type& page, base::IpAddress address, const Holder* joined) const {
  const auto& all = page.second.book.holders();
  HeldTwice it{.pool = page.first,
               .address = address,
               .count = all.contested().at(address),
               .holders = all.first(address, kMostNamed),
               .toTell = {},
               .contested = all.contested().size()};
  it.toTell = joined ? std::vector{*joined} : it.holders;
  heldTwice_.tell(it);
}

template <class Address>
void AddressBooks::withdraw(const kube::ObjectKey& claim) {
  const auto given = unconfirmed<Address>().find(claim);
  if (given == unconfirmed<Address>().end()) return;
  strike(given->second.object);
  unconfirmed<Address>().erase(given);
}

template bool AddressBooks::avoid<api::ipam::IPAddress>(const api::ipam::IPPool&, const api::ipam::IPAddress&,
                                                        base::IpAddress);
template bool AddressBooks::avoid<api::capi_ipam::IPAddress>(const api::ipam::IPPool&, const api::capi_ipam::IPAddress&,
                                                             base::IpAddress);
template void AddressBooks::withdraw<api::ipam::IPAddress>(const kube::ObjectKey&);
template void AddressBooks::withdraw<api::capi_ipam::IPAddress>(const kube::ObjectKey&);

}  // namespace ingot::coordinator::ipam
