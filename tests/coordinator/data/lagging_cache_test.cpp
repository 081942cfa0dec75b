// What is given back or written once is decided by what the API has, however far the caches are behind
// (spec/capm3.md §15.2.2, §15.6, §16.5).
#include "kube/core/secret.hpp"
#include "kube/runtime/finalizer.hpp"
#include "tests/coordinator/data/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

// From the next start on: what is there is listed, and what changes is not seen for so long.
void holdWatch(DataSite& site, std::string path, base::Duration d) {
  site.kill();
  site.heldWatch = std::move(path);
  site.watchHeldFor = d;
  site.start();
  site.settle();
  site.reads.clear();
}

Metal3Data dataOf(const Metal3DataClaim& claim, int index) {
  Metal3Data data;
  data.metadata = {.name = fmt::format("dt-{}", index), .namespace_ = "metal"};
  data.metadata.labels[kClusterLabel] = "c1";
  data.metadata.finalizers = {std::string(api::capm3::finalizer::data)};
  data.metadata.ownerReferences = {kube::ownerReferenceTo(claim, true)};
  data.spec.index = index;
  data.spec.template_ = {.name = "dt", .namespace_ = "metal"};
  data.spec.claim = {.name = claim.metadata.name, .namespace_ = "metal"};
  return data;
}

// Machine m0 with data dt-5 and their claim dt-5-prov, while changes of this kind are not seen.
void makeUnseen(DataSite& site, std::string path) {
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.11"));
  site.create(dataTemplate(kPlain));
  holdWatch(site, std::move(path), 1h);
  site.addMachine("m0");
  const auto data = site.create(dataOf(*site.find<Metal3DataClaim>("m0"), 5));
  IPClaim address;
  address.metadata = {.name = "dt-5-prov", .namespace_ = "metal"};
  address.metadata.finalizers = {std::string(api::capm3::finalizer::data)};
  address.metadata.ownerReferences = {kube::ownerReferenceTo(data, true)};
  address.spec.pool = {.namespace_ = "metal", .name = "prov"};
  site.create(address);
  site.settle();
}

}  // namespace

TEST_CASE("§16.5 data whose claim no cache shows yet keep their addresses", "[data][deletion]") {
  DataSite site;
  makeUnseen(site, "/metal3dataclaims");
  site.remove<Metal3Data>("dt-5");
  site.settle(1min);
  CHECK(site.find<Metal3Data>("dt-5"));
  REQUIRE(site.find<IPClaim>("dt-5-prov"));
  CHECK_FALSE(site.find<IPClaim>("dt-5-prov")->metadata.beingDeleted());
  CHECK(site.told("WaitingForClaim") == 1);
  site.removeMachine("m0");
  site.settle(2h);
  CHECK_FALSE(site.find<Metal3Data>("dt-5"));
  CHECK_FALSE(site.find<IPClaim>("dt-5-prov"));
}

TEST_CASE("§15.2.2 a claim whose machine no cache shows yet keeps its data", "[data][deletion]") {
  DataSite site;
  site.create(dataTemplate(kPlain));
  holdWatch(site, "/metal3machines", 1h);
  site.addMachine("m0");
  site.settle();
  REQUIRE(site.find<Metal3Data>("dt-0"));
  site.remove<Metal3DataClaim>("m0");
  site.settle(1min);
  CHECK(site.find<Metal3DataClaim>("m0"));
  CHECK_FALSE(site.find<Metal3Data>("dt-0")->metadata.beingDeleted());
  CHECK(site.told("WaitingForMachine") == 1);
}

TEST_CASE("§16.5 a claim for an address whose data no cache shows yet keeps it", "[data][deletion]") {
  DataSite site;
  makeUnseen(site, "/metal3datas");
  site.remove<IPClaim>("dt-5-prov");
  site.settle(1min);
  REQUIRE(site.find<IPClaim>("dt-5-prov"));
  CHECK(kube::hasFinalizer(site.find<IPClaim>("dt-5-prov")->metadata, api::capm3::finalizer::data));
}

TEST_CASE("§15.2.2 data that a machine has taken stay, though their claim names others", "[data][deletion]") {
  DataSite site;
  site.settleOneMachine();
  site.kill();
  const bool isTaken = GENERATE(true, false), isOwned = GENERATE(true, false);
  CAPTURE(isTaken, isOwned);
  if (isTaken) site.patchStatus<Metal3Machine>("m0", R"({"status":{"renderedData":{"name":"dt-0"}}})");
  site.create(dataOf(*site.find<Metal3DataClaim>("m0"), 7));
  site.patchStatus<Metal3DataClaim>("m0", R"({"status":{"renderedData":{"name":"dt-7"}}})");
  if (!isOwned) site.patch<Metal3DataClaim>("m0", R"({"metadata":{"ownerReferences":null}})");
  site.remove<Metal3Data>("dt-0");
  site.forbidden = "/metal3dataclaims/m0/status";  // the claim goes on naming them
  site.start();
  site.settle(1min);
  CHECK(site.find<Metal3Data>("dt-0").has_value() == isTaken);
  CHECK((count(site.names<IPClaim>(), "dt-0-prov") == 1) == isTaken);
}

TEST_CASE("§15.6 (5) Secrets are rendered from the host as the API has it", "[data][secrets]") {
  DataSite site;
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.11"));
  site.create(dataTemplate(kWithPool));
  site.addHost("m0");
  holdWatch(site, "/baremetalhosts", 1h);
  SECTION("with the NIC that it has by now") {
    site.patchStatus<BareMetalHost>("host-m0",
                                    R"({"status":{"hardware":{"nics":[{"name":"nic0","mac":"00:00:00:00:00:09"}]}}})");
    site.create(metalMachine(site.create(machineNamed("m0"))));
    site.addClaim("m0");
    site.settle();
    const Texts text{site.textOf("m0-networkdata", "networkData")};
    CAPTURE(text);
    CHECK(count(text, "00:00:00:00:00:09") == 1);
    CHECK(site.isReady("dt-0"));
  }
  SECTION("not from one that another machine has by now") {
    site.patch<BareMetalHost>("host-m0", R"({"spec":{"consumerRef":{"name":"m9"}}})");
    site.create(metalMachine(site.create(machineNamed("m0"))));
    site.addClaim("m0");
    site.settle(1min);
    CHECK_FALSE(site.find<kube::Secret>("m0-networkdata"));
    CHECK(site.told("HostNotOurs") == 1);
    CHECK_FALSE(site.isReady("dt-0"));
  }
}
