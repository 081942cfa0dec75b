// The book of each pool, kept true: by what the caches of address objects tell, and by the addresses that were given a
// moment ago and that no cache shows yet (spec/ipam.md §15). An address is free again once the caches have seen its
// object go, never before.
#pragma once

#include "coordinator/ipam/claim_action.hpp"
#include "coordinator/ipam/decision.hpp"
#include "kube/runtime/index.hpp"

#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace ingot::coordinator::ipam {

class AddressBooks {
 public:
  // All outlive the books; both caches must be synced before a book is asked for. An address that an unreadable object
  // may hold is in use.
  AddressBooks(base::Clock& clock, kube::Cache<api::ipam::IPAddress>& addresses,
               kube::Cache<api::capi_ipam::IPAddress>& capiAddresses);

  // Follows the pool's spec. It is made anew where the objects that cannot be read are others than the last time, and
  // for another pool of the same name: throws kube::NotReady where that was done a moment ago, as the work grows with
  // the pool's addresses.
  [[nodiscard]] PoolBook& of(const api::ipam::IPPool& pool);
  void forget(const kube::ObjectKey& pool) { pages_.erase(pool); }

  // The object of this address would have the name of an existing object, of another pool or for another address: the
  // address is passed over while the cache shows that object. False: the cache does not show it.
  template <class Address>
  [[nodiscard]] bool avoid(const api::ipam::IPPool& pool, const Address& inTheWay, base::IpAddress address);

  // Changes whenever the book does. Throws as of().
  struct Version {
    std::uint64_t book = 0, change = 0;
    friend bool operator==(const Version&, const Version&) = default;
  };
  [[nodiscard]] Version versionOf(const api::ipam::IPPool& pool);

  // An address that several objects hold: none is taken away, as machines may run with all of them. It is told once
  // while that is so, and again of each object that joins. Of one pool no more than kMostToldOf are told of at a time:
  // whoever makes many would drown what is told of others.
  static constexpr std::size_t kMostToldOf = 50, kMostNamed = 3;
  struct HeldTwice {
    kube::ObjectKey pool;
    base::IpAddress address;
    std::size_t count = 0;        // of its holders
    std::vector<Holder> holders;  // kMostNamed of them
    std::vector<Holder> toTell;   // these, or the one that joined
    std::size_t contested = 0;    // addresses of the pool that are held so
  };
  [[nodiscard]] kube::Subscription onHeldTwice(std::function<void(const HeldTwice&)> listener) {
    return heldTwice_.add(std::move(listener));
  }

  template <class Address>
  struct Given {
    Address object;
    Basis basis;
    // Given to this claim by this pool, as both are now.
    [[nodiscard]] bool isFor(const kube::ObjectMeta& claim, const api::ipam::IPPool& pool) const {
      return basis == basisOf(claim, pool);
    }
  };
  // The book gave an address (PoolBook::allocate), and this object is to be created for it.
  template <class Address>
  void given(Given<Address> made) {
    const kube::ObjectKey claim = claimOf(made.object);
    unconfirmed<Address>().insert_or_assign(claim, std::move(made));
  }
  // What was given to the claim and is not seen yet: it may exist or not. nullptr: nothing.
  template <class Address>
  [[nodiscard]] const Given<Address>* findUnconfirmed(const kube::ObjectKey& claim) const {
    const auto at = std::get<Unconfirmed<Address>>(unconfirmed_).find(claim);
    return at == std::get<Unconfirmed<Address>>(unconfirmed_).end() ? nullptr : &at->second;
  }
  // What was given to the claim does not exist and will not: the address is free again.
  template <class Address>
  void withdraw(const kube::ObjectKey& claim);

 private:
  template <class Address>
  using Unconfirmed = std::map<kube::ObjectKey, Given<Address>>;  // by claim
  // Address objects that exist and cannot be read.
  struct Unreadable {
    std::set<kube::ObjectKey> keys;  // of the namespace
    bool wholeKind = false;          // all of one kind: which there are is not known
    friend bool operator==(const Unreadable&, const Unreadable&) = default;
  };
  struct Page {
    std::string uid;
    std::int64_t generation = 0;  // of the pool: grows with its spec, and when it is to go
    Unreadable unreadable;
    std::uint64_t number = 0;
    PoolBook book;
    std::set<base::IpAddress> told;  // of those that are contested
  };
  using Pages = std::map<kube::ObjectKey, Page>;

  [[nodiscard]] Page& pageOf(const api::ipam::IPPool& pool);
  [[nodiscard]] Page& makeAnew(const api::ipam::IPPool& pool, Unreadable unreadable);
  void spaceBooks(const kube::ObjectKey& pool);
  [[nodiscard]] PoolBook made(const api::ipam::IPPool& pool, const Unreadable& unreadable) const;
  [[nodiscard]] Unreadable unreadableIn(const std::string& namespace_) const;
  // Names of those of the pool's namespace of which no earlier state is known either.
  [[nodiscard]] std::vector<std::string> unknownIn(const std::string& namespace_) const;
  void reserveUnreadable(PoolBook& book, const api::ipam::IPPool& pool, bool wholeKind) const;
  template <class Address>
  void noteGone(const kube::ObjectKey& object);
  template <class Address>
  void follow(const typename kube::Cache<Address>::Change& change);
  template <class Address>
  [[nodiscard]] Pages::iterator findPage(const Address& address);
  template <class Address>
  void enter(const Address& object);
  template <class Address>
  void strike(const Address& object);
  static void forgetSettled(Page& page);
  void tellContested(Pages::value_type& page);
  void tellOf(const Pages::value_type& page, base::IpAddress address, const Holder* joined) const;
  template <class Address>
  [[nodiscard]] Unconfirmed<Address>& unconfirmed() {
    return std::get<Unconfirmed<Address>>(unconfirmed_);
  }

  base::Clock& clock_;
  kube::Cache<api::ipam::IPAddress>& addresses_;
  kube::Cache<api::capi_ipam::IPAddress>& capiAddresses_;
  kube::Index<api::ipam::IPAddress> ofPool_;
  kube::Index<api::capi_ipam::IPAddress> capiOfPool_;
  Pages pages_;
  std::map<kube::ObjectKey, base::MonoTime> noSooner_;  // than that the book of a large pool is made anew
  std::map<std::pair<ClaimKind, kube::ObjectKey>, std::set<kube::ObjectKey>> avoided_;  // object → pools
  std::uint64_t lastNumber_ = 0;
  kube::Listeners<HeldTwice> heldTwice_;
  std::tuple<Unconfirmed<api::ipam::IPAddress>, Unconfirmed<api::capi_ipam::IPAddress>> unconfirmed_;
  kube::Subscription subscription_, capiSubscription_;
};

}  // namespace ingot::coordinator::ipam
