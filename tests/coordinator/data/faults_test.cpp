// Writes that are lost, refused, or meet somebody else's: the end is the same (spec/capm3.md §15).
#include "kube/core/secret.hpp"
#include "tests/coordinator/data/site.hpp"

#include <catch2/catch.hpp>

#include <array>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

// A life of two machines and their template, up to `stage`.
void act(DataSite& site, int stage) {
  if (stage == 0) {
    site.create(poolNamed("prov", "10.0.0.10", "10.0.0.11"));
    site.create(dataTemplate(kWithPool));
    site.addMachine("m0");
    site.addMachine("m1");
  } else if (stage == 1) {
    site.removeMachine("m0");
  } else {
    site.removeMachine("m1");
    site.remove<Metal3DataTemplate>("dt");
  }
}

void checkEnd(DataSite& site, int stage) {
  CHECK(site.breaches().empty());
  if (stage == 0) {
    CHECK(site.isReady("dt-0"));
    CHECK(site.isReady("dt-1"));
    CHECK(site.names<Metal3Data>().size() == 2);
    CHECK(site.find<Metal3DataTemplate>("dt")->status.indexes.size() == 2);
    CHECK(site.names<IPClaim>() == Texts{"dt-0-prov", "dt-1-prov"});
  }
  if (stage == 1) {
    CHECK(site.names<Metal3DataClaim>() == Texts{"m1"});
    CHECK(site.names<Metal3Data>().size() == 1);
    CHECK(site.names<IPClaim>().size() == 1);
    CHECK(site.names<api::ipam::IPAddress>().size() == 1);
  }
  if (stage == 2) {
    CHECK(site.names<Metal3DataClaim>().empty());
    CHECK(site.names<Metal3Data>().empty());
    CHECK(site.names<Metal3DataTemplate>().empty());
    CHECK(site.names<IPClaim>().empty());
    CHECK(site.names<api::ipam::IPAddress>().empty());
    CHECK(count(site.names<kube::Secret>(), "data") == 0);
  }
}

constexpr std::array<std::size_t, 3> kFewestWrites = {20, 10, 10};  // of each stage

// Somebody writes to Metal3Data dt-0 right before each of the next `left` patches of it.
base::Task<void> meddle(DataSite& site, int& left, bool isPatch) {
  if (!isPatch || left == 0) co_return;
  --left;
  co_await site.patchMeanwhile<Metal3Data>("dt-0",
                                           fmt::format(R"({{"metadata":{{"annotations":{{"n":"{}"}}}}}})", left));
}

}  // namespace

TEST_CASE("whichever write is lost, and whether the process dies with it, the machines end alike", "[data][faults]") {
  const auto death = GENERATE(DataSite::Death::before, DataSite::Death::after);
  const bool survives = death == DataSite::Death::after && GENERATE(false, true);
  const int stage = GENERATE(0, 1, 2);
  bool reached = true;
  std::size_t met = 0;
  for (std::size_t which = 0; reached; ++which) {
    CAPTURE(survives, static_cast<int>(death), stage, which);
    DataSite site;
    for (int before = 0; before < stage; ++before) act(site, before), site.settle(30s);
    site.writes.clear();
    site.survives = survives;
    site.death = death;
    site.dieAtWrite = which;
    act(site, stage);
    site.settle(survives ? 3min : 5s);
    reached = site.writes.size() > which;
    if (reached) ++met;
    CHECK(site.brokeAWrite == reached);
    CHECK(site.dead == (reached && !survives));
    if (!survives) site.restart(), site.settle(1min);
    checkEnd(site, stage);
  }
  CHECK(met >= kFewestWrites.at(static_cast<std::size_t>(stage)));
}

TEST_CASE("data that somebody else writes to at the same time become ready all the same", "[data][faults]") {
  int left = 3;
  DataSite site;
  site.create(dataTemplate(kPlain));
  site.settle();
  site.writes.clear();
  site.meanwhile = [&](const net::ServerRequest& request) {
    const bool isPatch = request.method == "PATCH" && request.path().find("/metal3datas/dt-0") != std::string::npos;
    return meddle(site, left, isPatch);
  };
  site.addMachine("m0");
  site.settle(30s);
  CHECK(left == 0);
  CHECK(site.isReady("dt-0"));
  CHECK(count(site.writes, "POST /api/v1/namespaces/metal/secrets") == 1);
  CHECK(site.breaches().empty());
}

TEST_CASE("a creation that is refused is told, and tried again", "[data][faults]") {
  struct Row {
    const char *denied, *reason;
    bool onClaim;
  };
  const auto row = GENERATE(values<Row>({{"/metal3datas", "DataRefused", true},
                                         {"/ipclaims", "AddressClaimRefused", false},
                                         {"/secrets", "SecretRefused", false}}));
  CAPTURE(row.denied);
  DataSite site;
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.11"));
  site.create(dataTemplate(kWithPool));
  site.settle();
  site.denied = row.denied;
  site.denials = 6;
  site.addMachine("m0");
  site.loop.clock.advance(1s);
  REQUIRE(site.denials > 0);
  CHECK(site.told(row.reason) == 1);
  if (row.onClaim)
    CHECK_FALSE(site.find<Metal3DataClaim>("m0")->status.errorMessage.empty());
  else
    CHECK_FALSE(site.find<Metal3Data>("dt-0")->status.errorMessage.empty());
  site.settle(2min);
  CHECK(site.isReady("dt-0"));
  CHECK(site.find<Metal3DataClaim>("m0")->status.errorMessage.empty());
  CHECK(site.find<Metal3Data>("dt-0")->status.errorMessage.empty());
  CHECK(site.breaches().empty());
}

TEST_CASE("a claim whose data may still be made is not let go before", "[data][faults]") {
  DataSite site;
  site.create(dataTemplate(kPlain));
  site.settle();
  site.writes.clear();
  site.survives = true;
  site.dieAtWrite = 0;  // the creation of the Metal3Data
  site.death = DataSite::Death::late;
  site.addMachine("m0");
  site.loop.clock.advance(1ms);
  REQUIRE(count(site.writes, "POST") > 0);
  REQUIRE(site.names<Metal3Data>().empty());
  site.patch<Metal3DataClaim>("m0",
                              R"({"metadata":{"finalizers":["metal3dataclaim.infrastructure.cluster.x-k8s.io"]}})");
  site.remove<Metal3DataClaim>("m0");
  site.settle(30s);
  CHECK(site.names<Metal3DataClaim>() == Texts{"m0"});
  site.carryOutLate();
  site.settle(2min);
  CHECK(site.names<Metal3DataClaim>().empty());
  CHECK(site.names<Metal3Data>().empty());
}

TEST_CASE("a claim in deletion whose machine cannot be read is looked at again", "[data][faults]") {
  DataSite site;
  site.settleOneMachine();
  site.kill();
  site.remove<Metal3Machine>("m0");
  site.unreadable.add("metal3machines.infrastructure.cluster.x-k8s.io", {"metal", "m0"});
  site.remove<Metal3DataClaim>("m0");
  site.start();
  site.settle();
  const int before = site.passes("metal3dataclaim");
  site.settle(2min);
  CHECK(site.passes("metal3dataclaim") > before);
  CHECK(site.isReady("dt-0"));
}

TEST_CASE("an index whose data cannot be read is in use", "[data][faults]") {
  DataSite site;
  site.create(dataTemplate(kPlain));
  site.settle();
  site.kill();
  site.unreadable.add("metal3datas.infrastructure.cluster.x-k8s.io", {"metal", "dt-0"});
  site.start();
  site.addMachine("m0");
  site.settle();
  CHECK(site.names<Metal3Data>() == Texts{"dt-1"});
  site.removeMachine("m0");
  site.remove<Metal3DataTemplate>("dt");
  site.settle(1min);
  CHECK(site.find<Metal3DataTemplate>("dt"));  // it may be used
  CHECK(site.told("WaitingForClaims") == 1);
}

TEST_CASE("data whose claim cannot be read are in use", "[data][faults]") {
  DataSite site;
  site.settleOneMachine();
  site.kill();
  site.removeByForce<Metal3DataClaim>("m0");
  site.remove<Metal3Data>("dt-0");
  site.unreadable.add("metal3dataclaims.infrastructure.cluster.x-k8s.io", {"metal", "m0"});
  site.start();
  site.settle(1min);
  CHECK(site.find<Metal3Data>("dt-0"));
  CHECK(site.names<IPClaim>() == Texts{"dt-0-prov"});
}

TEST_CASE("a claim whose data cannot be read keeps them", "[data][faults]") {
  DataSite site;
  site.settleOneMachine();
  site.kill();
  site.removeByForce<Metal3Data>("dt-0");
  site.unreadable.add("metal3datas.infrastructure.cluster.x-k8s.io", {"metal", "dt-0"});
  SECTION("in its status") {
    site.start();
    site.settle(1min);
    CHECK(site.find<Metal3DataClaim>("m0")->status.renderedData.value().name == "dt-0");
    CHECK(site.names<Metal3Data>().empty());
    CHECK(site.told("DataLost") == 0);
  }
  SECTION("with the address that they may use") {
    site.remove<IPClaim>("dt-0-prov");
    site.start();
    site.settle(1min);
    CHECK(site.names<IPClaim>() == Texts{"dt-0-prov"});
    CHECK(site.names<api::ipam::IPAddress>().size() == 1);
  }
}

TEST_CASE("data do not go before a claim for an address that cannot be read", "[data][faults]") {
  DataSite site;
  site.settleOneMachine();
  site.kill();
  site.removeByForce<IPClaim>("dt-0-prov");
  site.unreadable.add("ipclaims.ipam.metal3.io", {"metal", "dt-0-prov"});
  site.start();
  site.settle();
  site.removeMachine("m0");
  site.settle(5min);
  CHECK(site.find<Metal3Data>("dt-0"));
  CHECK(site.told("ClaimUnreadable") == 1);
}

TEST_CASE("a Metal3Data that somebody made by hand has its index", "[data][faults]") {
  DataSite site;
  site.create(dataTemplate(kPlain));
  Metal3Data byHand;
  byHand.metadata = {.name = "dt-1", .namespace_ = "metal"};
  byHand.spec.index = 1;
  byHand.spec.template_ = {.name = "dt", .namespace_ = "metal"};
  byHand.spec.claim = {.name = "nobody", .namespace_ = "metal"};
  site.create(byHand);
  for (const char* name : {"m0", "m1"}) {
    site.addMachine(name);
    site.settle();
  }
  CHECK(site.names<Metal3Data>() == Texts{"dt-0", "dt-1", "dt-2"});
  CHECK(site.find<Metal3DataClaim>("m1")->status.renderedData->name == "dt-2");
}
