// One pass over a Metal3DataClaim (spec/capm3.md §15.2): it gets the Metal3Data with the smallest free index of its
// template, for two writes: the Metal3Data and its own status; a claim that bears no finalizer of ours yet gets that
// first. The index is decided and in the book before the first of them reaches the server, so claims may be worked on
// side by side.
#pragma once

#include "coordinator/caches/unseen_clusters.hpp"
#include "coordinator/data/gate.hpp"
#include "coordinator/data/index_book.hpp"
#include "coordinator/data/troubles.hpp"
#include "kube/runtime/index.hpp"

namespace ingot::coordinator::data {

struct ClaimWorld {
  const Gate& gate;
  UnseenClusters& unseenClusters;
  kube::Cache<Metal3DataTemplate>& templates;
  kube::Cache<Metal3Data>& data;
  kube::Index<Metal3Data>& dataOf;  // by claim
  kube::Cache<Metal3Machine>& metalMachines;
  IndexBook& indexes;
};

class ClaimReconciler final : public kube::ObjectReconciler<Metal3DataClaim> {
 public:
  ClaimReconciler(base::Runtime runtime, kube::PassWorld<Metal3DataClaim> world, ClaimWorld claims);

 private:
  base::Task<kube::Next> run(kube::Pass<Metal3DataClaim>& claim) override;
  void gone(const kube::ObjectKey& key) override;

  // Its template is paused, or another process's.
  [[nodiscard]] base::Task<kube::Next> restWith(kube::Pass<Metal3DataClaim>& claim,
                                                std::shared_ptr<const Metal3DataTemplate> dataTemplate);
  [[nodiscard]] base::Task<kube::Next> work(kube::Pass<Metal3DataClaim>& claim);
  [[nodiscard]] base::Task<kube::Next> serve(kube::Pass<Metal3DataClaim>& claim);
  // The name of its Metal3Data; nullopt: the template is not ready to give any. Throws Hindrance.
  [[nodiscard]] base::Task<std::optional<std::string>> dataFor(kube::Pass<Metal3DataClaim>& claim);
  [[nodiscard]] std::shared_ptr<const Metal3Data> existingFor(const Metal3DataClaim& claim) const;
  // Throws Hindrance.
  [[nodiscard]] std::shared_ptr<const Metal3DataTemplate> templateFor(const Metal3DataClaim& claim) const;
  [[nodiscard]] std::shared_ptr<const Metal3Machine> machineFor(const Metal3DataClaim& claim) const;
  [[nodiscard]] base::Task<void> create(Metal3Data data, Metal3DataClaim claim);
  [[nodiscard]] bool leavesWithNothing(const Metal3DataClaim& claim) const;
  // What its status names is there, and only the cache does not show it. Otherwise it names nothing any more.
  [[nodiscard]] base::Task<bool> keepsItsData(kube::Pass<Metal3DataClaim>& claim);
  // Which data it has taken is not known.
  [[nodiscard]] bool isMachineUnreadable(const Metal3DataClaim& claim) const;
  [[nodiscard]] base::Task<kube::Next> removeSpares(Metal3DataClaim claim);

  [[nodiscard]] base::Task<kube::Next> release(kube::Pass<Metal3DataClaim>& claim);
  [[nodiscard]] base::Task<bool> isInUse(Metal3DataClaim claim);
  [[nodiscard]] base::Task<void> removeData(Metal3DataClaim claim);
  [[nodiscard]] base::Task<void> releaseUnseen(Metal3DataClaim claim);
  [[nodiscard]] base::Task<void> remove(Metal3Data data);

  base::Runtime runtime_;
  ClaimWorld claims_;
  Troubles<Metal3DataClaim> troubles_;
  std::map<kube::ObjectKey, base::MonoTime> lostAnswers_;  // when a creation was asked for that may still be done
};

// The Metal3Data that a claim gets. Pure. `isOurs`: they are completed here, and so hold addresses that are given back
// here.
[[nodiscard]] Metal3Data dataWith(const Slot& slot, const Metal3DataClaim& claim,
                                  const Metal3DataTemplate& dataTemplate, bool isOurs);

// An update worth a pass. Our own status write is none; one that takes its data away is somebody else's.
[[nodiscard]] bool mattersToClaim(const Metal3DataClaim& before, const Metal3DataClaim& after);

// It has the data that its status names, as far as the cache shows, and is not to go.
[[nodiscard]] bool isSettled(const Metal3DataClaim& claim, const kube::Cache<Metal3Data>& data);

}  // namespace ingot::coordinator::data
