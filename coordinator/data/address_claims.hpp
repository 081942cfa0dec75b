// The claims of a Metal3Data for addresses, of both IPAM groups: made, read and given back (spec/capm3.md §16).
#pragma once

#include "coordinator/caches/address_caches.hpp"
#include "coordinator/data/claim_kinds.hpp"
#include "coordinator/data/hindrance.hpp"
#include "coordinator/data/references.hpp"
#include "kube/runtime/index.hpp"

#include <map>

namespace ingot::coordinator::data {

// Whether claims that are made are named by the host (--enable-bmh-name-based-preallocation).
enum class NamedBy : std::uint8_t { data, host };

// Whether an address of these data may stand in a Secret already.
enum class Rendered : std::uint8_t { nothing, something };

// Whom addresses are for.
struct Taker {
  Metal3Data data;
  std::string host;
  Rendered rendered = Rendered::nothing;
};

// Claims of one group.
template <class Claim>
class ClaimsOf {
 public:
  using Kind = ClaimKind<Claim>;
  using Address = typename Kind::Address;
  struct Pool {
    std::string name;
    PoolKind kind;
    std::string_view finalizer = {};  // that claims are answered with; "": it is not sure that they are
  };
  // The address, or why it is not there yet.
  using Found = std::variant<cloudinit::PoolAddress, std::string>;

  ClaimsOf(base::Runtime runtime, kube::Client& client, kube::Cache<Claim>& claims, kube::Cache<Address>& addresses,
           const ClaimWaits& waits, NamedBy namedBy);

  // Makes the claim when there is none. Throws Hindrance when it was refused.
  [[nodiscard]] base::Task<Found> addressFrom(Pool pool, Taker taker);
  // Gives back every claim that the data own, or owned when nobody does: our finalizer goes, then the claim. Throws
  // kube::NotReady while one may still be made, Hindrance while one that may be the data's own cannot be read.
  [[nodiscard]] base::Task<void> release(Metal3Data data);
  // The data are gone.
  void forget(const kube::ObjectKey& data) { asked_.erase(data); }

  [[nodiscard]] std::vector<kube::ObjectKey> ownedBy(const std::string& uid) const { return byOwner_.copy(uid); }

 private:
  struct Asked {
    base::MonoTime at;
    bool maybeLost = false;  // it may still be made
  };

  [[nodiscard]] Claim claimFor(const Pool& pool, const Metal3Data& data, const std::string& host) const;
  [[nodiscard]] base::Task<Found> create(Claim claim, Pool pool, Taker taker);
  [[nodiscard]] base::Task<Found> judge(Claim claim, std::string pool, Taker taker);
  [[nodiscard]] base::Task<void> giveBack(Claim claim);
  [[nodiscard]] base::Task<void> giveBackUnseen(Metal3Data data);
  void requireReadable(const Metal3Data& data) const;

  base::Runtime runtime_;
  kube::Client& client_;
  kube::Cache<Claim>& claims_;
  kube::Cache<Address>& addresses_;
  const ClaimWaits& waits_;
  NamedBy namedBy_;
  kube::Index<Claim, std::string> byOwner_;                            // uid of a Metal3Data
  kube::Index<Claim> unowned_;                                         // Metal3Data that made it
  std::map<kube::ObjectKey, std::map<kube::ObjectKey, Asked>> asked_;  // Metal3Data → claims that we asked for
};

extern template class ClaimsOf<IPClaim>;
extern template class ClaimsOf<IPAddressClaim>;

class AddressClaims {
 public:
  // `allPools`: the cache of pools shows every one that there is.
  AddressClaims(base::Runtime runtime, kube::Client& client, AddressCaches& caches,
                kube::Cache<api::capi::Cluster>& clusters, NamedBy namedBy, bool allPools);

  // Addresses from all of these pools. All claims are made before the first is waited for. Throws Hindrance.
  [[nodiscard]] base::Task<cloudinit::PoolAddresses> gather(PoolReferences pools, Taker taker);
  [[nodiscard]] base::Task<void> release(Metal3Data data);
  void forget(const kube::ObjectKey& data);

 private:
  [[nodiscard]] std::string_view finalizerOf(const kube::ObjectKey& pool) const;
  [[nodiscard]] bool isAtWork(const api::ipam::IPPool& pool) const;
  [[nodiscard]] bool isMissing(const kube::ObjectKey& pool) const;

  kube::Cache<api::ipam::IPPool>& pools_;
  kube::Cache<api::capi::Cluster>& clusters_;
  bool allPools_;
  ClaimsOf<IPClaim> metal3_;
  ClaimsOf<IPAddressClaim> capi_;
};

}  // namespace ingot::coordinator::data
