// What a Metal3Cluster shows and when it may go (spec/capm3.md §7). Pure.
#pragma once

#include "api/capi/pause.hpp"
#include "api/capm3/v1beta2/metal3_cluster.hpp"

#include <cstdint>

namespace ingot::coordinator::cluster {

using api::capi::Cluster;
using api::capm3::v1beta2::Metal3Cluster;

enum class Standing : std::uint8_t {
  external,      // annotated or labelled cluster.x-k8s.io/managed-by: somebody else looks after it
  ownerless,     // Cluster API has not set its owner reference yet
  ownerMissing,  // the owner does not exist
  paused,        // by its own annotation or by its Cluster
  open,
};

// The Cluster in its own namespace that an owner reference names.
[[nodiscard]] std::optional<kube::ObjectKey> ownerOf(const kube::ObjectMeta& metadata);
// The Cluster whose Machines it must outlive: its owner, or without one the Cluster that its label names.
[[nodiscard]] std::optional<kube::ObjectKey> clusterOf(const Metal3Cluster& metal);

// `cluster`: that of clusterOf(); nullptr: there is none.
[[nodiscard]] Standing standingOf(const Metal3Cluster& metal, const Cluster* cluster);

// Cluster API soon sets the owner reference of one that was just made: for so long nothing is told of its lack.
[[nodiscard]] base::Duration untilOwnerIsMissed(const Metal3Cluster& metal, base::WallTime now);

// Brings the status up to date; of one in deletion only what its standing says: Cluster API lets go of the machines of
// a cluster only while the infrastructure is ready (§8.2 [Q28]); nor does one that was provisioned lose that with its
// owner reference. lastUpdated is the time of the last change. Not for Standing::external.
void show(Metal3Cluster& metal, const Cluster* cluster, base::WallTime now);

// A change that is our own status write makes no new pass.
[[nodiscard]] bool mattersToCluster(const Metal3Cluster& before, const Metal3Cluster& after);

}  // namespace ingot::coordinator::cluster
