// spec/capm3.md §9 and §10 against an API: a data claim that a machine gives back with a host that it has lost.
#include "tests/coordinator/machine/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

TEST_CASE("data of a claim that is given back already go onto no host, however late that is seen", "[machine][lost]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle();
  const auto claim = site.find<Metal3DataClaim>("m1").value();
  site.kill();
  site.patchStatus<Metal3DataClaim>("m1", R"({"status":{"renderedData":{"name":"m1-data","namespace":"metal"}}})");
  site.heldWatch = "/metal3dataclaims";
  site.watchHeldFor = 5min;
  site.start();
  site.settle();
  site.patch<BareMetalHost>("h1", kRival);
  site.settle(10s);
  REQUIRE_FALSE(site.find<Metal3DataClaim>("m1"));
  site.patch<BareMetalHost>("h1", R"({"spec":{"consumerRef":null}})");
  site.settle(1min);
  REQUIRE(site.consumer("h1") == "m1");
  Metal3Data data;
  data.metadata = {.name = "m1-data", .namespace_ = "metal"};
  data.metadata.ownerReferences = claim.metadata.ownerReferences;
  data.spec.claim = {.name = "m1", .namespace_ = "metal"};
  data.spec.metaData = {.name = "m1-metadata", .namespace_ = "metal"};
  site.create(data);
  site.patchStatus<Metal3Data>("m1-data", R"({"status":{"ready":true}})");
  site.settle(10s);
  CHECK_FALSE(site.host("h1").spec.image);
  CHECK_FALSE(site.machine("m1").status.renderedData);
  site.heldWatch.clear();
  site.settle(10min);
  REQUIRE(site.find<Metal3DataClaim>("m1"));
  CHECK_FALSE(site.find<Metal3DataClaim>("m1")->metadata.beingDeleted());
  site.renderData("m1", "m1-data-2");
  CHECK(site.machine("m1").status.renderedData->name == "m1-data-2");
  CHECK(site.host("h1").spec.image);
}

TEST_CASE("a data claim whose deletion got no answer is the machine's again before its data are used",
          "[machine][lost]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle();
  site.patchStatus<Metal3DataClaim>("m1", R"({"status":{"renderedData":{"name":"m1-data","namespace":"metal"}}})");
  site.instead = [](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (request.method != "DELETE" || !request.path().ends_with("/metal3dataclaims/m1")) return std::nullopt;
    return ApiSite::Answer{};
  };
  site.patch<BareMetalHost>("h1", kRival);
  site.settle(1s);
  REQUIRE(site.find<Metal3DataClaim>("m1")->metadata.finalizers.empty());
  site.patch<BareMetalHost>("h1", R"({"spec":{"consumerRef":null}})");
  site.settle(1min);
  REQUIRE(site.consumer("h1") == "m1");
  site.renderData("m1");
  REQUIRE(site.host("h1").spec.image);
  site.remove<Metal3DataClaim>("m1");  // late
  site.settle();
  REQUIRE(site.find<Metal3DataClaim>("m1"));
  CHECK(site.find<Metal3DataClaim>("m1")->metadata.finalizers.size() == 1);
}
