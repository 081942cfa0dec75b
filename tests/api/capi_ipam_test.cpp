// spec/ipam.md §5: Cluster API's claims and addresses as its v1beta2 has them.
#include "api/capi_ipam/ip_address.hpp"
#include "json/codec.hpp"
#include "json/yaml.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using api::capi_ipam::IPAddress;
using api::capi_ipam::IPAddressClaim;

TEST_CASE("§5.1 an IPAddressClaim is read and written member by member", "[api][ipam]") {
  const json::Value whole = json::parseYamlValue(R"(
spec:
  clusterName: blue
  poolRef: {name: pool, kind: IPPool, apiGroup: ipam.metal3.io}
status:
  addressRef: {name: net-10-0-0-1}
  conditions:
  - {type: Ready, status: "False", reason: PoolExhausted, message: Exhausted IP Pools, observedGeneration: 3,
     lastTransitionTime: "2026-01-01T00:00:00Z"}
  deprecated:
    v1beta1:
      conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z"}]
)");
  const auto claim = json::decode<IPAddressClaim>(whole);
  CHECK(claim.spec.clusterName == "blue");
  CHECK(claim.spec.poolRef == api::capi_ipam::PoolReference{"pool", "IPPool", "ipam.metal3.io"});
  CHECK(claim.status.addressRef.name == "net-10-0-0-1");
  REQUIRE(claim.status.conditions.size() == 1);
  CHECK(claim.status.conditions[0].reason == "PoolExhausted");
  CHECK(claim.status.conditions[0].observedGeneration == 3);
  CHECK(claim.status.deprecated.v1beta1.conditions.size() == 1);
  const json::Value back = json::encode(claim);
  CHECK(json::equal(back.at("spec"), whole.at("spec")));
  CHECK(json::equal(back.at("status"), whole.at("status")));
}

TEST_CASE("§5.1 a claim without an address names none", "[api][ipam]") {
  IPAddressClaim claim;
  claim.spec.poolRef = {"pool", "IPPool", "ipam.metal3.io"};
  CHECK(json::find(json::encode(claim), {"status", "addressRef"}) == nullptr);
}

TEST_CASE("§5.2 an IPAddress has its prefix always, and a gateway only when there is one", "[api][ipam]") {
  IPAddress address;
  address.spec = {
      .claimRef = {"a"}, .poolRef = {"pool", "IPPool", "ipam.metal3.io"}, .address = "10.0.0.1", .prefix = 0};
  const auto written = [&] { return json::encode(address).at("spec"); };
  CHECK(json::equal(written(), json::parseYamlValue("{claimRef: {name: a}, poolRef: {name: pool, kind: IPPool, "
                                                    "apiGroup: ipam.metal3.io}, address: 10.0.0.1, prefix: 0}")));
  address.spec.gateway = "10.0.0.254";
  CHECK(json::textAt(written(), {"gateway"}) == "10.0.0.254");
  CHECK(json::decode<IPAddress>(json::encode(address)).spec == address.spec);
}

TEST_CASE("§5.1, §5.2 the kinds are those of ipam.cluster.x-k8s.io/v1beta2", "[api][ipam]") {
  CHECK(IPAddressClaim::info.apiVersion() == "ipam.cluster.x-k8s.io/v1beta2");
  CHECK(IPAddressClaim::info.plural == "ipaddressclaims");
  CHECK(IPAddressClaim::info.statusSubresource);
  CHECK(IPAddress::info.apiVersion() == "ipam.cluster.x-k8s.io/v1beta2");
  CHECK(IPAddress::info.plural == "ipaddresses");
  CHECK_FALSE(IPAddress::info.statusSubresource);
}
