// The book of one pool: who has which address, and what the next claim gets (spec/ipam.md §10.1, §11).
//
// It is written at once, before the API server has the address object, so that the next claim sees it (§15): it stands
// for cache and overlay together. Guarantees: no address is given twice, none outside the ranges, none that is kept
// for another claim; one is found whenever one is free (strategy `random`: in a range that can be counted).
#pragma once

#include "api/capi_ipam/ip_address.hpp"
#include "api/ipam/ip_address.hpp"
#include "api/ipam/ip_pool.hpp"
#include "base/random.hpp"
#include "coordinator/ipam/address_holders.hpp"
#include "coordinator/ipam/address_set.hpp"
#include "coordinator/ipam/claim_key.hpp"
#include "coordinator/ipam/refusal.hpp"

#include <set>
#include <variant>

namespace ingot::coordinator::ipam {

struct Grant {
  base::IpAddress address;
  int prefix = 0;
  std::string gateway;
  std::vector<std::string> dnsServers;

  friend bool operator==(const Grant&, const Grant&) = default;
};

// The address that the pool keeps for the claim is in use by somebody else: it will pass, or a person must look.
struct Taken {
  base::IpAddress address;

  friend bool operator==(const Taken&, const Taken&) = default;
};

// There would be an address, whose object's name somebody else's object has: as Taken.
struct NameTaken {
  base::IpAddress address;

  friend bool operator==(const NameTaken&, const NameTaken&) = default;
};

using Answer = std::variant<Grant, Refused, Taken, NameTaken>;

class PoolBook {
 public:
  explicit PoolBook(const api::ipam::IPPool& pool);
  PoolBook(PoolBook&&) = default;  // what is in here is pointed to, and stays where it is
  PoolBook& operator=(PoolBook&&) = default;
  PoolBook(const PoolBook&) = delete;
  PoolBook& operator=(const PoolBook&) = delete;
  ~PoolBook() = default;

  // The pool's spec is another, or the pool is to go: who has which address stays as it is.
  void follow(const api::ipam::IPPool& pool);

  // Address objects that exist. Those of other pools and namespaces are left out; one that is known already changes
  // nothing.
  void add(const api::ipam::IPAddress& object);
  void add(const api::capi_ipam::IPAddress& object);
  void remove(const api::ipam::IPAddress& object);
  void remove(const api::capi_ipam::IPAddress& object);

  // A granted address is in use from now on, under the name of its object.
  [[nodiscard]] Answer allocate(const Request& request, base::Random& random);
  // All that the claim had is free again, but for what the pool keeps for it.
  void release(const ClaimKey& claim);

  // A claim that asks for no certain address would get one.
  [[nodiscard]] bool isAnyFree(base::Random& random) const;

  // In use by nobody that is in here.
  void reserve(const std::string& address) { hold(address); }
  // The same, and shown as that claim's: what the pool shows is all that is known of it.
  void reserve(const std::string& claim, const std::string& address);
  [[nodiscard]] bool isInUse(const std::string& address) const;
  // An object of somebody else's has the name that this address would have: it is not given while that is so. A pool in
  // deletion gives nothing, and its book avoids nothing from then on.
  void avoid(const ClaimKey& object, base::IpAddress address);
  void avoidNoMore(const ClaimKey& object);

  // Names of the address objects that the claim has, in order; mostly one.
  [[nodiscard]] std::vector<std::string> objectsOf(const ClaimKey& claim) const;
  // Text of the address that the claim has; nullptr when it has none.
  [[nodiscard]] const std::string* addressOf(const ClaimKey& claim) const;
  // Who holds which address by an object, and which addresses are contested: only somebody who did not ask this book
  // can have made those objects.
  [[nodiscard]] const AddressHolders<>& holders() const { return holders_; }
  // For status.indexes: by the claim's name alone, IPClaims before claims of Cluster API. Without texts that are no
  // address: the schema refuses them.
  [[nodiscard]] std::map<std::string, std::string> indexes() const;
  // Distinct addresses in use, and those kept for claims.
  [[nodiscard]] std::size_t inUse() const { return used_.size() + unreadable_.size(); }
  // Grows with every change.
  [[nodiscard]] std::uint64_t version() const { return version_; }

 private:
  struct Terms {
    int prefix = 0;
    std::string gateway;
    std::vector<std::string> dnsServers;
  };
  struct Source {
    std::optional<api::ipam::Span> span;
    std::optional<api::ipam::RandomSpace> random;
    Terms terms;
  };
  using Entries = std::map<Holder, std::string>;  // → text of the address

  static std::vector<Source> sourcesOf(const api::ipam::IPPoolSpec& spec);
  void keep(const std::map<std::string, std::string>& preAllocations);
  void avoidNothing();

  [[nodiscard]] Answer fixedAddress(const Request& request, const std::string* kept);
  [[nodiscard]] Answer anyAddress(base::Random& random) const;
  // In use by nobody, and given to nobody; the pool may keep it for a claim.
  [[nodiscard]] bool isOnlyAvoided(base::IpAddress address) const;
  [[nodiscard]] std::optional<base::IpAddress> anyAvoided() const;
  [[nodiscard]] std::optional<base::IpAddress> freeIn(const Source& source, base::Random& random) const;
  [[nodiscard]] const Source* sourceOf(base::IpAddress address) const;
  [[nodiscard]] const std::string* keptFor(const std::string& claim) const;
  [[nodiscard]] bool isKept(base::IpAddress address) const { return kept_.contains(address); }
  [[nodiscard]] bool isHeld(base::IpAddress address) const;

  void hold(const std::string& text);
  void hold(base::IpAddress address);
  void unhold(const std::string& text);
  void unhold(base::IpAddress address);
  void enter(Holder holder, const std::string& text);
  void strike(const Holder& holder);
  void take(const Entries::value_type& entry);
  void letGo(const Entries::value_type& entry);

  std::string name_, namespace_, namePrefix_;
  bool random_ = false;
  std::map<std::string, std::string> preAllocations_;
  std::vector<Source> sources_;

  Entries entries_;
  AddressHolders<> holders_;  // of entries_
  AddressSet used_;
  std::set<base::IpAddress> kept_;               // of used_: pre-allocated, whether a claim has it or not
  std::vector<std::string> keptTexts_;           // of unreadable_: the same
  std::map<base::IpAddress, int> moreHolders_;   // of used_: holders beyond the first, which may be the pool itself
  std::map<ClaimKey, base::IpAddress> avoided_;  // by kind and name of the object that is in the way
  std::map<base::IpAddress, int> passedOver_;    // the same addresses, by how many
  std::map<std::string, std::string> reserved_;  // claim → address, of nobody that is in here
  std::map<std::string, int> unreadable_;        // texts that are no address, and how often they occur
  std::uint64_t version_ = 0;
};

}  // namespace ingot::coordinator::ipam
