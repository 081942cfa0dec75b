// What a pool has to do with its Cluster: whether it may work, and how it shows whose it is (spec/ipam.md §2.3, §9).
#pragma once

#include "api/capi/pause.hpp"
#include "api/ipam/ip_pool.hpp"

#include <cstdint>

namespace ingot::coordinator::ipam {

enum class Gate : std::uint8_t {
  open,
  waitsForCluster,  // it names one that is not there; a pool that goes away waits for none
  paused,           // by its own annotation or by its Cluster
};

// The Cluster that the pool names, in its own namespace.
[[nodiscard]] std::optional<kube::ObjectKey> clusterOf(const api::ipam::IPPool& pool);

// `cluster`: the one that the pool names; nullptr: there is none.
[[nodiscard]] Gate gateOf(const api::ipam::IPPool& pool, const api::capi::Cluster* cluster);

// Labels, and the Cluster as owner, so that the pool moves and goes with it. An owner reference that names the Cluster
// already is left alone.
void joinCluster(api::ipam::IPPool& pool, const api::capi::Cluster* cluster);

}  // namespace ingot::coordinator::ipam
