// One pass over a Metal3MachineTemplate (spec/capm3.md §14): of all that it says, its automatedCleaningMode alone is
// carried to the machines that were made from it. They are found by an index.
#pragma once

#include "api/capi/cluster.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "api/capm3/v1beta2/templates.hpp"
#include "coordinator/caches/unseen_clusters.hpp"
#include "kube/runtime/index.hpp"
#include "kube/runtime/pass.hpp"

namespace ingot::coordinator::machine_template {

using api::capm3::v1beta2::Metal3Machine;
using api::capm3::v1beta2::Metal3MachineTemplate;

// The Cluster that a machine is of, by its label.
[[nodiscard]] std::optional<kube::ObjectKey> clusterOf(const Metal3Machine& machine);

// The template in its own namespace that a machine was made from; nullopt: it was made from none.
[[nodiscard]] std::optional<kube::ObjectKey> templateOf(const Metal3Machine& machine);

struct TemplateWorld {
  kube::Cache<Metal3Machine>& machines;
  kube::Index<Metal3Machine>& machinesOf;  // by template
  kube::Cache<api::capi::Cluster>& clusters;
  UnseenClusters& unseenClusters;
  std::string watchFilter = {};  // api::capi::passesWatchFilter
};

class TemplateReconciler final : public kube::ObjectReconciler<Metal3MachineTemplate> {
 public:
  TemplateReconciler(base::Runtime runtime, kube::PassWorld<Metal3MachineTemplate> world, TemplateWorld templates);

 private:
  base::Task<kube::Next> run(kube::Pass<Metal3MachineTemplate>& machineTemplate) override;
  // later: nobody tells when it may be. failed: it could not be written and is tried again.
  enum class Outcome : std::uint8_t { done, later, failed };
  [[nodiscard]] base::Task<Outcome> setCleaning(kube::ObjectKey machine, std::string mode);
  enum class Rest : std::uint8_t { no, paused, unknown };
  [[nodiscard]] base::Task<Rest> restOf(kube::Cache<Metal3Machine>::Snapshot machine);

  base::Runtime runtime_;
  TemplateWorld templates_;
};

}  // namespace ingot::coordinator::machine_template
