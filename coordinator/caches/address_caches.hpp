// The objects of address management, for all that read them: one watch each (caches.hpp).
#pragma once

#include "api/capi_ipam/ip_address.hpp"
#include "api/capi_ipam/ip_address_claim.hpp"
#include "api/ipam/ip_address.hpp"
#include "api/ipam/ip_claim.hpp"
#include "api/ipam/ip_pool.hpp"
#include "coordinator/caches/caches.hpp"

namespace ingot::coordinator {

// Where the kinds of Cluster API, or ours of ipam.metal3.io, are not installed there is nothing to do for them.
struct AddressCaches {
  // With a `watchFilter` pools and claims are those with this value of label cluster.x-k8s.io/watch-filter
  // (spec/ipam.md §15); addresses are complete.
  AddressCaches(base::Runtime runtime, kube::Client& client, CachesOptions options = {},
                const std::string& watchFilter = {});

  kube::Cache<api::ipam::IPPool> pools;
  kube::Cache<api::ipam::IPClaim> claims;
  kube::Cache<api::ipam::IPAddress> addresses;
  kube::Cache<api::capi_ipam::IPAddressClaim> capiClaims;
  kube::Cache<api::capi_ipam::IPAddress> capiAddresses;
};

}  // namespace ingot::coordinator
