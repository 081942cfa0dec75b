// Address management's caches, for others that read the same kinds (coordinator/ipam owns them).
#pragma once

#include "api/capi_ipam/ip_address.hpp"
#include "api/capi_ipam/ip_address_claim.hpp"
#include "api/ipam/ip_address.hpp"
#include "api/ipam/ip_claim.hpp"
#include "api/ipam/ip_pool.hpp"
#include "kube/runtime/cache.hpp"

namespace ingot::coordinator {

// With a watch filter pools and claims are those of its value; addresses are complete.
struct AddressCaches {
  kube::Cache<api::ipam::IPPool>& pools;
  kube::Cache<api::ipam::IPClaim>& claims;
  kube::Cache<api::ipam::IPAddress>& addresses;
  kube::Cache<api::capi_ipam::IPAddressClaim>& capiClaims;
  kube::Cache<api::capi_ipam::IPAddress>& capiAddresses;
};

}  // namespace ingot::coordinator
