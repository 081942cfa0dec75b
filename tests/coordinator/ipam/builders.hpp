// Pools and claims for tests.
#pragma once

#include "api/capi_ipam/ip_address.hpp"
#include "api/capi_ipam/ip_address_claim.hpp"
#include "api/ipam/ip_address.hpp"
#include "api/ipam/ip_claim.hpp"
#include "api/ipam/ip_pool.hpp"
#include "coordinator/ipam/naming.hpp"

namespace ingot::tests {

using api::capi_ipam::IPAddressClaim;
using api::ipam::IPClaim;
using api::ipam::IPPool;
using OwnAddress = api::ipam::IPAddress;
using CapiAddress = api::capi_ipam::IPAddress;
using Texts = std::vector<std::string>;

inline api::ipam::Range startToEnd(std::string start, std::string end) {
  return {.start = std::move(start), .end = std::move(end)};
}
inline api::ipam::Range subnetOf(std::string subnet) { return {.subnet = std::move(subnet)}; }

inline api::ipam::IPPool poolOf(std::vector<api::ipam::Range> ranges) {
  api::ipam::IPPool pool;
  pool.metadata = {.name = "pool", .namespace_ = "metal"};
  pool.metadata.uid = "pool-uid";
  pool.spec.pools = std::move(ranges);
  pool.spec.namePrefix = "net";
  return pool;
}

// Three addresses.
inline api::ipam::IPPool smallPool() { return poolOf({startToEnd("10.0.0.1", "10.0.0.3")}); }

inline api::ipam::IPClaim claimOf(std::string name, std::string requested = "") {
  api::ipam::IPClaim claim;
  claim.metadata = {.name = std::move(name), .namespace_ = "metal"};
  if (!requested.empty()) claim.metadata.annotations["ipAddress"] = std::move(requested);
  claim.spec.pool.name = "pool";
  return claim;
}

inline api::capi_ipam::IPAddressClaim capiClaimOf(std::string name) {
  api::capi_ipam::IPAddressClaim claim;
  claim.metadata = {.name = std::move(name), .namespace_ = "metal"};
  claim.spec.poolRef = {.name = "pool", .kind = "IPPool", .apiGroup = "ipam.metal3.io"};
  return claim;
}

// As the pool's own object of that address is called.
inline OwnAddress addressObject(const std::string& claim, const std::string& address, std::string pool = "pool") {
  OwnAddress object;
  object.metadata = {.name = coordinator::ipam::addressName("net", address), .namespace_ = "metal"};
  object.spec.address = address;
  object.spec.claim = {.namespace_ = "metal", .name = claim};
  object.spec.pool = {.namespace_ = "metal", .name = std::move(pool)};
  return object;
}

}  // namespace ingot::tests
