// What is done for an IPPool itself (spec/ipam.md §9): finalizer, membership of its Cluster, and what it shows of its
// addresses, at most once a second and less often the more they are. Claims look after themselves
// (claim_reconciler.hpp).
#pragma once

#include "coordinator/caches/lasting_errors.hpp"
#include "coordinator/ipam/address_books.hpp"
#include "coordinator/ipam/overlaps.hpp"
#include "coordinator/ipam/pools.hpp"
#include "coordinator/ipam/publication.hpp"
#include "kube/runtime/pass.hpp"

namespace ingot::coordinator::ipam {

class PoolReconciler final : public kube::ObjectReconciler<api::ipam::IPPool> {
 public:
  PoolReconciler(base::Runtime runtime, kube::PassWorld<api::ipam::IPPool> world, Pools& pools, AddressBooks& books,
                 Overlaps& overlaps);

  // How long it shows what it shows, whatever becomes of its addresses: a pass before is for nothing.
  [[nodiscard]] base::Duration untilPublication(const kube::ObjectKey& pool) const;

 protected:
  [[nodiscard]] base::Task<kube::Next> run(kube::Pass<api::ipam::IPPool>& pool) override;
  void gone(const kube::ObjectKey& key) override;

 private:
  struct Published {
    AddressBooks::Version version;
    base::MonoTime at;
    std::size_t entries = 0;
    bool whole = true;
  };

  [[nodiscard]] base::Task<kube::Next> act(kube::Pass<api::ipam::IPPool>& pool);
  // What is left of the time until it may be published; nullopt: what is shown is true, or will be with the next save.
  [[nodiscard]] std::optional<base::Duration> publish(kube::Pass<api::ipam::IPPool>& pool);
  [[nodiscard]] Publication shownOf(const api::ipam::IPPool& pool);
  void tellOverlaps(kube::Pass<api::ipam::IPPool>& pool);
  void tellWaiting(kube::Pass<api::ipam::IPPool>& pool);
  // The server takes less than we think: the next try is smaller.
  void showLess(const api::ipam::IPPool& pool);

  base::Runtime runtime_;
  Pools& pools_;
  AddressBooks& books_;
  Overlaps& overlaps_;
  LastingErrorEvents<api::ipam::IPPool> errors_;
  std::map<kube::ObjectKey, Published> published_;
  std::map<kube::ObjectKey, std::size_t> room_;     // for the indexes of pools whose server took less
  std::map<kube::ObjectKey, std::string> waiting_;  // pools that were told to wait for their Cluster → uid
};

// An update of their pool after which claims that wait may go on.
[[nodiscard]] bool mattersToClaims(const api::ipam::IPPool& before, const api::ipam::IPPool& after);

// An update worth a pass. What we publish is not.
[[nodiscard]] bool mattersToPool(const api::ipam::IPPool& before, const api::ipam::IPPool& after);

}  // namespace ingot::coordinator::ipam
