#include "coordinator/ipam/address_books.hpp"

#include "coordinator/ipam/naming.hpp"
#include "kube/runtime/not_ready.hpp"

#include <algorithm>
#include <iterator>

namespace ingot::coordinator::ipam {

namespace {

constexpr std::size_t kSmall = 100;  // addresses: their book is made in a moment
constexpr base::Duration kBetweenBooks = std::chrono::seconds(1), kForEachAddress = std::chrono::microseconds(50);

template <class Address>
constexpr ClaimKind kindOf = std::is_same_v<Address, api::ipam::IPAddress> ? ClaimKind::metal3 : ClaimKind::capi;

template <class Address>
std::vector<kube::ObjectKey> poolsOf(const Address& address) {
  const auto pool = poolOf(address);
  return pool ? std::vector{*pool} : std::vector<kube::ObjectKey>{};
}

template <class Address>
void addAll(PoolBook& book, const kube::Cache<Address>& cache, const std::set<kube::ObjectKey>& keys) {
  for (const auto& key : keys)
    if (const auto address = cache.find(key)) book.add(*address);
}

}  // namespace

AddressBooks::AddressBooks(base::Clock& clock, kube::Cache<api::ipam::IPAddress>& addresses,
                           kube::Cache<api::capi_ipam::IPAddress>& capiAddresses)
    : clock_(clock),
      addresses_(addresses),
      capiAddresses_(capiAddresses),
      ofPool_(addresses, poolsOf<api::ipam::IPAddress>),
      capiOfPool_(capiAddresses, poolsOf<api::capi_ipam::IPAddress>),
      subscription_(addresses.listen([this](const auto& change) { follow<api::ipam::IPAddress>(change); })),
      capiSubscription_(
          capiAddresses.listen([this](const auto& change) { follow<api::capi_ipam::IPAddress>(change); })) {}

PoolBook& AddressBooks::of(const api::ipam::IPPool& pool) { return pageOf(pool).book; }

AddressBooks::Version AddressBooks::versionOf(const api::ipam::IPPool& pool) {
  const Page& page = pageOf(pool);
  return {page.number, page.book.version()};
}

AddressBooks::Page& AddressBooks::pageOf(const api::ipam::IPPool& pool) {
  auto unreadable = unreadableIn(pool.metadata.namespace_);
  const auto at = pages_.find(pool.metadata.key());
  const bool isPresent =
      at != pages_.end() && at->second.uid == pool.metadata.uid && at->second.unreadable == unreadable;
  if (!isPresent) return makeAnew(pool, std::move(unreadable));
  if (at->second.generation < pool.metadata.generation) {  // whoever has an older one does not lead it back
    at->second.generation = pool.metadata.generation;
    at->second.book.follow(pool);
  }
  return at->second;
}

AddressBooks::Page& AddressBooks::makeAnew(const api::ipam::IPPool& pool, Unreadable unreadable) {
  const kube::ObjectKey key = pool.metadata.key();
  spaceBooks(key);
  const auto at = pages_.find(key);
  const bool isKnown = at != pages_.end() && at->second.uid == pool.metadata.uid;
  auto told = isKnown ? std::move(at->second.told) : std::set<base::IpAddress>{};
  PoolBook book = made(pool, unreadable);
  Page written{pool.metadata.uid, pool.metadata.generation, std::move(unreadable),
               ++lastNumber_,     std::move(book),          std::move(told)};
  auto& page = *pages_.insert_or_assign(key, std::move(written)).first;
  tellContested(page);
  return page.second;
}

// Whoever may delete a pool and make it anew decides how often.
void AddressBooks::spaceBooks(const kube::ObjectKey& pool) {
  const base::MonoTime now = clock_.now();
  std::erase_if(noSooner_, [now](const auto& entry) { return entry.second <= now; });
  if (const auto at = noSooner_.find(pool); at != noSooner_.end())
    throw kube::NotReady("the book of the pool was made a moment ago", at->second - now);
  const std::size_t addresses = ofPool_.find(pool).size() + capiOfPool_.find(pool).size();
  if (addresses < kSmall) return;
  noSooner_[pool] = now + std::max(kBetweenBooks, static_cast<std::int64_t>(addresses) * kForEachAddress);
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
  addAll(book, addresses_, ofPool_.find(pool.metadata.key()));
  addAll(book, capiAddresses_, capiOfPool_.find(pool.metadata.key()));
  const std::string& namespace_ = pool.metadata.namespace_;
  std::apply(
      [&](const auto&... kinds) {
        const auto addGiven = [&](const auto& all) {
          for (auto at = all.lower_bound({namespace_, ""}); at != all.end() && at->first.namespace_ == namespace_; ++at)
            book.add(at->second.object);
        };
        (addGiven(kinds), ...);
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
