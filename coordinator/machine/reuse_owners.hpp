// Whom hosts are kept for by their node-reuse label (spec/capm3.md §9.3, §11.2), and whether there is anything of that
// one: no other machine gets such a host (docs/decisions/0047). Known by the changes of the caches: an answer looks at
// no Machine, however many there are.
#pragma once

#include "api/capi/cluster.hpp"
#include "api/capi/owners.hpp"
#include "kube/runtime/index.hpp"

#include <functional>
#include <string>
#include <vector>

namespace ingot::coordinator::machine {

class ReuseOwners {
 public:
  using Clusters = kube::Cache<api::capi::Cluster>;
  using Machines = kube::Cache<api::capi::Machine>;
  using MachineSets = kube::Cache<api::capi::MachineSet>;

  // All outlive it.
  ReuseOwners(Clusters& clusters, Machines& machines, MachineSets& sets);

  // `name`: as nodeReuseName() has it. True: as far as the caches know no machine of that owner can come, because there
  // is neither a Cluster with that control plane nor a Machine of it, or no MachineSet of that deployment. What cannot
  // be read may be theirs; a name that no owner can have was somebody's wish.
  [[nodiscard]] bool isGone(const std::string& namespace_, const std::string& name) const;
  // Something of the namespace cannot be read: nobody is gone as long as that lasts, and its end is not told.
  [[nodiscard]] bool isAnyHidden(const std::string& namespace_) const;

  // Called with the namespace and the name of an owner who has come, or is gone: of whom there was nothing before, or
  // is nothing now.
  kube::Subscription onChange(std::function<void(const kube::ObjectKey& owner)> listener) {
    return told_.add(std::move(listener));
  }

 private:
  template <class T>
  void follow(kube::Cache<T>& cache);
  [[nodiscard]] std::size_t countOf(const kube::ObjectKey& owner) const;

  Clusters& clusters_;
  Machines& machines_;
  MachineSets& sets_;
  // By the namespace and the name of an owner.
  kube::Index<api::capi::Cluster> planes_;
  kube::Index<api::capi::Machine> ofPlane_;
  kube::Index<api::capi::MachineSet> ofDeployment_;
  kube::Listeners<kube::ObjectKey> told_;
  std::vector<kube::Subscription> subscriptions_;
};

}  // namespace ingot::coordinator::machine
