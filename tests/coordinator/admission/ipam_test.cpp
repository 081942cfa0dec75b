// Rules of address management on a whole API (spec/ipam.md §7).
#include "tests/coordinator/admission/served.hpp"

using namespace ingot;
using namespace ingot::tests;

namespace {

const std::string kPool = R"(
apiVersion: ipam.metal3.io/v1alpha1
kind: IPPool
metadata: {name: pool}
spec: {namePrefix: p, pools: [{start: 10.0.0.10, end: 10.0.0.20}], prefix: 24}
)";
const std::string kPools = Served::collection("ipam.metal3.io/v1alpha1", "ippools");

}  // namespace

TEST_CASE("§7, §7.2 a pool allocates in sequence unless it says otherwise, and then for ever", "[admission]") {
  Served api;
  CHECK(api.create(kPool).at({"spec", "allocationStrategy"}) == "sequential");
  const auto refused = api.patch(kPools + "/pool", R"({"spec":{"allocationStrategy":"random"}})");
  CHECK(refused.status == 422);
  CHECK(refused.at({"message"})
            .starts_with("admission webhook \"validation.ippool.ipam.metal3.io\" denied the request: "
                         "IPPool.ipam.metal3.io \"pool\" is "
                         "invalid: spec.allocationStrategy: "));
  CHECK(json::textAt(refused.json().at("details").at("causes").at(0), {"field"}) == "spec.allocationStrategy");
}

TEST_CASE("§7.2 a pool's ranges stay around the addresses in use, finalizers or not", "[admission]") {
  Served api;
  REQUIRE(api.create(kPool).status == 201);
  REQUIRE(api.patch(kPools + "/pool/status", R"({"status":{"indexes":{"claim":"10.0.0.11"}}})").status == 200);
  const auto refused = api.patch(kPools + "/pool", R"({"spec":{"pools":[{"start":"10.0.0.12","end":"10.0.0.20"}]}})");
  CHECK(refused.status == 422);
  CHECK(refused.text.find("is in use but out of bounds of the pools given") != std::string::npos);
  CHECK(api.patch(kPools + "/pool", R"({"spec":{"pools":[{"start":"10.0.0.11","end":"10.0.0.30"}]}})").status == 200);
}

TEST_CASE("§7.4 claims and addresses keep what they point at", "[admission]") {
  Served api;
  REQUIRE(
      api.create("{apiVersion: ipam.metal3.io/v1alpha1, kind: IPClaim, metadata: {name: c}, spec: {pool: {name: p}}}")
          .status == 201);
  const auto moved =
      api.patch(Served::collection("ipam.metal3.io/v1alpha1", "ipclaims") + "/c", R"({"spec":{"pool":{"name":"q"}}})");
  CHECK(moved.status == 422);
  CHECK(moved.text.find("cannot be modified") != std::string::npos);
  const auto wrong = api.create(
      "{apiVersion: ipam.metal3.io/v1alpha1, kind: IPClaim, metadata: {name: d, annotations: {ipAddress: nine}}, "
      "spec: {pool: {name: p}}}");
  CHECK(wrong.status == 422);
  CHECK(wrong.text.find("is not a valid IP address") != std::string::npos);
}
