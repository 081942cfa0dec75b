// A template with a pool of another provider, and what that provider does.
#pragma once

#include "tests/coordinator/data/site.hpp"

namespace ingot::tests {

// An address of a foreign provider's pool, and one of an IPPool.
inline constexpr const char* kForeign = R"({
  "metaData": {"ipAddressesFromPool": [{"key": "own", "name": "prov"}]},
  "networkData": {
    "links": {"ethernets": [{"id": "eth0", "type": "phy", "mtu": 1500, "macAddress": {"string": "00:11:22:33:44:55"}}]},
    "networks": {"ipv4": [{"id": "p", "link": "eth0",
        "fromPoolRef": {"name": "theirs", "apiGroup": "ipam.example.com", "kind": "ExamplePool"}}]}}})";

inline void give(DataSite& site, const std::string& claim, const std::string& address) {
  api::capi_ipam::IPAddress object;
  object.metadata = {.name = "theirs-1", .namespace_ = "metal"};
  object.spec = {.claimRef = {claim},
                 .poolRef = {"theirs", "ExamplePool", "ipam.example.com"},
                 .address = address,
                 .prefix = 25,
                 .gateway = "192.0.2.1"};
  site.create(object);
}

inline void answer(DataSite& site, const std::string& claim, const std::string& address) {
  give(site, claim, address);
  site.patchStatus<IPAddressClaim>(claim, R"({"status":{"addressRef":{"name":"theirs-1"}}})");
}

// Template dt of kForeign and machine m0 with an address of each pool, at rest.
inline void settleWithForeign(DataSite& site) {
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.10"));
  site.create(dataTemplate(kForeign));
  site.addMachine("m0");
  site.settle();
  answer(site, "dt-0-theirs", "192.0.2.7");
  site.settle();
}

}  // namespace ingot::tests
