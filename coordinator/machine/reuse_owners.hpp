// Whom hosts are kept for by their node-reuse label (spec/capm3.md §9.3, §11.2), and whether there is anything of that
// one: no other machine gets such a host (docs/decisions/0047).
#pragma once

#include "api/capi/cluster.hpp"
#include "api/capi/owners.hpp"
#include "kube/runtime/cache.hpp"

#include <string>

namespace ingot::coordinator::machine {

class ReuseOwners {
 public:
  using Clusters = kube::Cache<api::capi::Cluster>;
  using Machines = kube::Cache<api::capi::Machine>;
  using MachineSets = kube::Cache<api::capi::MachineSet>;

  // All outlive it.
  ReuseOwners(const Clusters& clusters, const Machines& machines, const MachineSets& sets)
      : clusters_(clusters), machines_(machines), sets_(sets) {}

  // `name`: as nodeReuseName() has it. True: as far as the caches know no machine of that owner can come, because there
  // is neither a Cluster with that control plane nor a Machine of it, or no MachineSet of that deployment. What cannot
  // be read may be theirs; a name that no owner can have was somebody's wish.
  [[nodiscard]] bool isGone(const std::string& namespace_, const std::string& name) const;

 private:
  [[nodiscard]] bool isPlaneThere(const std::string& namespace_, std::string_view plane) const;
  [[nodiscard]] bool isDeploymentThere(const std::string& namespace_, std::string_view deployment) const;

  const Clusters& clusters_;
  const Machines& machines_;
  const MachineSets& sets_;
};

}  // namespace ingot::coordinator::machine
