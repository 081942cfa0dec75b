// Address management as one thing to start: IPPools and both kinds of claims, with what they read.
#pragma once

#include "coordinator/caches/address_caches.hpp"
#include "coordinator/ipam/claim_reconciler.hpp"
#include "coordinator/ipam/pool_reconciler.hpp"
#include "coordinator/ipam/retries.hpp"
#include "kube/runtime/manager.hpp"

namespace ingot::coordinator::ipam {

struct IpamWorld {
  kube::Client& client;
  base::Metrics& page;
  kube::Cache<api::capi::Cluster>& clusters;  // where Cluster API is not installed it stays empty
  AddressCaches& addresses;
  Retry retry = Retry::never;
  kube::Tuning tuning = {};  // of pools, and of claims of each kind
};

class Controllers {
 public:
  Controllers(base::Runtime runtime, IpamWorld world);
  ~Controllers();

  [[nodiscard]] std::vector<kube::Managed> managed();

 private:
  template <class Claim>
  struct OfClaims;

  // What a pool shows follows its addresses, and no pass is made for what may not be shown yet.
  template <class Address>
  void showAddresses(kube::Cache<Address>& addresses);
  [[nodiscard]] base::Duration untilShown(const kube::ObjectKey& pool) const;
  void tellHeldTwice(const AddressBooks::HeldTwice& it);
  // Claims that were refused for lack of addresses may have one now.
  void retryRefused(base::Metrics& page);
  template <class Address>
  void noteFreed(kube::Cache<Address>& addresses);
  [[nodiscard]] bool isFree(const RefusedClaims::Line& line);
  // Books are asked only once every pool and every address of either kind is known.
  [[nodiscard]] base::Task<void> run(kube::Controller& controller);

  base::Runtime runtime_;
  kube::Cache<api::capi::Cluster>& clusters_;
  AddressCaches& caches_;
  kube::EventRecorder events_;
  Pools open_;
  UnseenClusters unseenClusters_;
  AddressBooks books_;
  Overlaps overlaps_;
  PoolReconciler poolReconciler_;
  kube::Controller poolController_;
  std::vector<kube::Subscription> subscriptions_;
  std::unique_ptr<OfClaims<api::ipam::IPClaim>> claims_;
  std::unique_ptr<OfClaims<api::capi_ipam::IPAddressClaim>> capiClaims_;
  std::optional<RefusedClaims> refused_;  // these two only where what was refused is tried again
  std::unique_ptr<Retries> retries_;
};

}  // namespace ingot::coordinator::ipam
