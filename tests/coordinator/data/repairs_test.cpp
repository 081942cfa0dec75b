// What somebody took away, cleared or made twice is put right (spec/capm3.md §15.2, §15.5).
#include "coordinator/data/claim_reconciler.hpp"
#include "kube/core/secret.hpp"
#include "tests/coordinator/data/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

std::string dataOf(DataSite& site, const std::string& claim) {
  const auto rendered = site.find<Metal3DataClaim>(claim)->status.renderedData;
  return rendered ? rendered->name : "";
}

bool hasReadyData(DataSite& site, const std::string& claim) { return site.isReady(dataOf(site, claim)); }

// A second Metal3Data for the claim of m0, as by a request that was carried out late.
void makeSpare(DataSite& site) {
  const auto claim = *site.find<Metal3DataClaim>("m0");
  site.create(coordinator::data::dataWith({{"metal", "dt"}, 7}, claim, *site.find<Metal3DataTemplate>("dt"), true));
}

}  // namespace

TEST_CASE("a claim whose data were removed by force gets others, never those of another claim", "[data][repairs]") {
  const std::string other = GENERATE("m5", "a5");  // after and before m0 in each list
  CAPTURE(other);
  DataSite site;
  site.create(dataTemplate(kWithPool));
  site.addMachine("m0");  // without its pool it waits
  site.settle();
  REQUIRE(dataOf(site, "m0") == "dt-0");
  site.kill();
  site.removeByForce<Metal3Data>("dt-0");
  site.addMachine(other);
  site.start();
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.19"));
  site.settle(3min);
  CHECK(hasReadyData(site, "m0"));
  CHECK(hasReadyData(site, other));
  CHECK(dataOf(site, "m0") != dataOf(site, other));
  CHECK(site.told("DataLost") == 1);
  CHECK(site.breaches().empty());
}

TEST_CASE("data that are removed by force are made anew at once", "[data][repairs]") {
  DataSite site;
  site.settleOneMachine();
  const std::string before = site.find<Metal3Data>("dt-0")->metadata.uid;
  const bool paused = GENERATE(false, true);
  if (paused) site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
  site.settle();
  site.removeByForce<Metal3Data>("dt-0");
  site.settle(1min);
  if (paused) {
    CHECK(site.names<Metal3Data>().empty());
    site.patch<Cluster>("c1", R"({"spec":{"paused":false}})");
    site.settle(1min);
  }
  CHECK(hasReadyData(site, "m0"));
  CHECK(site.find<Metal3Data>("dt-0")->metadata.uid != before);
  CHECK(site.find<kube::Secret>("m0-metadata"));
  CHECK(site.breaches().empty());
}

TEST_CASE("a status that somebody clears is written again", "[data][repairs]") {
  DataSite site;
  site.settleOneMachine();
  SECTION("of the claim") { site.patchStatus<Metal3DataClaim>("m0", R"({"status":{"renderedData":null}})"); }
  SECTION("of the data") { site.patchStatus<Metal3Data>("dt-0", R"({"status":{"ready":null}})"); }
  SECTION("of both") {
    site.patchStatus<Metal3DataClaim>("m0", R"({"status":null})");
    site.patchStatus<Metal3Data>("dt-0", R"({"status":null})");
  }
  site.settle();
  CHECK(dataOf(site, "m0") == "dt-0");
  CHECK(site.isReady("dt-0"));
  CHECK(count(site.writes, "POST") == 0);
}

TEST_CASE("data that are deleted before their claim names them are no obstacle", "[data][repairs]") {
  DataSite site;
  site.create(dataTemplate(kWithPool));
  site.denied = "/metal3dataclaims/m0/status";
  site.denials = 1000;
  const bool complete = GENERATE(true, false);
  CAPTURE(complete);
  if (complete) site.create(poolNamed("prov", "10.0.0.10", "10.0.0.19"));
  site.addMachine("m0");
  site.settle(1min);
  REQUIRE(dataOf(site, "m0").empty());
  REQUIRE(site.isReady("dt-0") == complete);
  site.remove<Metal3Data>("dt-0");
  site.settle(2min);
  site.denials = 0;
  if (!complete) site.create(poolNamed("prov", "10.0.0.10", "10.0.0.19"));
  site.settle(10min);
  CHECK(site.names<Metal3Data>() == Texts{dataOf(site, "m0")});
  CHECK(hasReadyData(site, "m0"));
  CHECK(site.breaches().empty());
}

TEST_CASE("of two data for one claim the one that it names stays", "[data][repairs]") {
  DataSite site;
  site.settleOneMachine();
  SECTION("the other one comes later") { makeSpare(site); }
  SECTION("the other one was there at the start") {
    site.kill();
    makeSpare(site);
    site.start();
  }
  SECTION("the claim names none") {
    site.kill();
    makeSpare(site);
    site.patchStatus<Metal3DataClaim>("m0", R"({"status":null})");
    site.start();
  }
  site.settle(5min);
  CHECK(site.names<Metal3Data>() == Texts{"dt-0"});
  CHECK(dataOf(site, "m0") == "dt-0");
  CHECK(hasReadyData(site, "m0"));
  CHECK(site.names<IPClaim>() == Texts{"dt-0-prov"});
  CHECK(site.breaches().empty());
}

TEST_CASE("data that a machine has taken stay its own, whatever the claim says", "[data][repairs]") {
  DataSite site;
  site.settleOneMachine();
  site.patchStatus<Metal3Machine>("m0", R"({"status":{"renderedData":{"name":"dt-0","namespace":"metal"}}})");
  site.kill();
  site.patchStatus<Metal3DataClaim>("m0", R"({"status":null})");
  site.patchStatus<Metal3Data>("dt-0", R"({"status":null})");
  site.remove<Metal3Data>("dt-0");
  site.start();
  site.settle(10min);
  CHECK(site.names<Metal3Data>() == Texts{"dt-0"});
  CHECK(dataOf(site, "m0") == "dt-0");
  CHECK(site.names<api::ipam::IPAddress>().size() == 1);
}

TEST_CASE("data stay while the machine that may use them cannot be read", "[data][repairs]") {
  DataSite site;
  site.settleOneMachine();
  site.kill();
  makeSpare(site);
  site.remove<Metal3Machine>("m0");  // no list shows it any more
  site.unreadable.add("metal3machines.infrastructure.cluster.x-k8s.io", {"metal", "m0"});
  site.start();
  site.settle(1min);
  CHECK(site.names<Metal3Data>() == Texts{"dt-0", "dt-7"});
  if (site.find<Metal3Data>("dt-7")) site.remove<Metal3Data>("dt-7");
  site.settle(1min);
  CHECK(site.find<Metal3Data>("dt-7"));
}
