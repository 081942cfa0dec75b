// The objects of address management, for all that read them: one watch each (caches.hpp).
#pragma once

#include "api/capi_ipam/ip_address.hpp"
#include "api/capi_ipam/ip_address_claim.hpp"
#include "api/ipam/ip_address.hpp"
#include "api/ipam/ip_claim.hpp"
#include "api/ipam/ip_pool.hpp"
#include "coordinator/caches/caches.hpp"
#include "coordinator/caches/claim_waits.hpp"

namespace ingot::coordinator {

// Where the kinds of Cluster API, or ours of ipam.metal3.io, are not installed there is nothing to do for them.
struct AddressCaches {
  // With a `watchFilter` pools are those with this value of label cluster.x-k8s.io/watch-filter (spec/ipam.md §15);
  // what claims them is complete, whatever its labels: a pool serves all its claims.
  AddressCaches(base::Runtime runtime, kube::Client& client, CachesOptions options = {},
                const std::string& watchFilter = {});

  const bool allPools;  // `pools` shows every one that there is
  kube::Cache<api::ipam::IPPool> pools;
  kube::Cache<api::ipam::IPClaim> claims;
  kube::Cache<api::ipam::IPAddress> addresses;
  kube::Cache<api::capi_ipam::IPAddressClaim> capiClaims;
  kube::Cache<api::capi_ipam::IPAddress> capiAddresses;
  ClaimWaits waits;  // of both kinds of claims; empty where somebody else answers them
};

}  // namespace ingot::coordinator
