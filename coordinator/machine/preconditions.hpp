// What must be there before anything is done for a Metal3Machine (spec/capm3.md §8.2). Pure.
#pragma once

#include "api/capi/cluster.hpp"
#include "api/capm3/v1beta2/metal3_cluster.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"

#include <cstdint>
#include <memory>

namespace ingot::coordinator::machine {

using api::capi::Cluster;
using api::capi::Machine;
using api::capm3::v1beta2::Metal3Cluster;
using api::capm3::v1beta2::Metal3Machine;

// The objects that a Metal3Machine belongs to; nullptr: there is none.
struct Surroundings {
  std::shared_ptr<const Machine> owner;
  std::shared_ptr<const Cluster> cluster;
  std::shared_ptr<const Metal3Cluster> metalCluster;
  std::string clusterName;  // of the Cluster, also when that is gone; "": nothing tells it

  [[nodiscard]] bool clusterRests() const { return cluster && cluster->paused(); }
};

// The first thing that is missing, in upstream's order.
enum class Missing : std::uint8_t { nothing, owner, cluster, infrastructure, metalCluster };

// The Machine in its own namespace that an owner reference names.
[[nodiscard]] std::optional<kube::ObjectKey> ownerOf(const kube::ObjectMeta& metadata);
// The Machine has it for its infrastructure.
[[nodiscard]] bool names(const Machine& owner, const Metal3Machine& machine);
// The Cluster that a Machine's label names.
[[nodiscard]] std::optional<kube::ObjectKey> clusterOf(const Machine& owner);
[[nodiscard]] std::optional<kube::ObjectKey> metalClusterOf(const Cluster& cluster);

[[nodiscard]] Missing missingFor(const Surroundings& around);

// The Cluster's infrastructure is there, as Cluster API says in either dialect.
[[nodiscard]] bool hasInfrastructure(const Cluster& cluster);

// The bootstrap provider has made what the machine is to run, or a Secret was named by hand.
[[nodiscard]] bool isBootstrapReady(const Machine& owner);

// Changes of these objects that may let a machine go on; every other one leaves it as it is.
[[nodiscard]] bool mattersToMachines(const Machine& before, const Machine& after);
[[nodiscard]] bool mattersToMachines(const Cluster& before, const Cluster& after);
[[nodiscard]] bool mattersToMachines(const Metal3Machine& before, const Metal3Machine& after);

}  // namespace ingot::coordinator::machine
