// Whatever goes first, all of it goes, and nothing that a machine still uses (spec/capm3.md §15.2, §15.5, §16.5).
#include "kube/core/secret.hpp"
#include "kube/runtime/finalizer.hpp"
#include "tests/coordinator/data/site.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

void checkUnused(DataSite& site) {
  CHECK(site.names<Metal3DataClaim>().empty());
  CHECK(site.names<Metal3Data>().empty());
  CHECK(site.names<IPClaim>().empty());
  CHECK(site.names<api::ipam::IPAddress>().empty());
  CHECK(count(site.names<kube::Secret>(), "data") == 0);
}

constexpr const char* kNoFinalizers = R"({"metadata":{"finalizers":null}})";

}  // namespace

TEST_CASE("§15.2.2 a claim stays until its machine lets go of it", "[data][deletion]") {
  DataSite site;
  site.settleOneMachine();
  site.remove<Metal3DataClaim>("m0");
  site.settle(10min);
  CHECK(site.isReady("dt-0"));
  CHECK(site.names<api::ipam::IPAddress>().size() == 1);
  CHECK(site.told("WaitingForMachine") == 1);
  CHECK(site.find<Metal3DataClaim>("m0")->status.errorMessage.empty());
  SECTION("by its finalizer") { site.removeMachine("m0"); }
  SECTION("by being gone") {
    site.remove<Metal3Machine>("m0");
    site.remove<Machine>("m0");
  }
  site.settle(1min);
  checkUnused(site);
}

TEST_CASE("§15.1, §15.2.2 a claim that lost its owner stays until the machine of its name lets go of it",
          "[data][deletion]") {
  DataSite site;
  site.settleOneMachine();
  site.patch<Metal3DataClaim>("m0", R"({"metadata":{"ownerReferences":null}})");
  site.remove<Metal3DataClaim>("m0");
  if (GENERATE(false, true)) site.restart();
  site.settle(10min);
  CHECK(site.isReady("dt-0"));
  CHECK(site.find<Metal3DataClaim>("m0"));
  CHECK(site.names<api::ipam::IPAddress>().size() == 1);
  CHECK(site.told("WaitingForMachine") >= 1);
  SECTION("by its finalizer") { site.removeMachine("m0"); }
  SECTION("by being gone") {
    site.remove<Metal3Machine>("m0");
    site.remove<Machine>("m0");
  }
  site.settle(1min);
  checkUnused(site);
}

TEST_CASE("§15.5 (3) data that are deleted stay until their claim is gone", "[data][deletion]") {
  DataSite site;
  site.settleOneMachine();
  site.remove<Metal3Data>("dt-0");
  site.settle(10min);
  CHECK(site.isReady("dt-0"));
  CHECK(site.names<api::ipam::IPAddress>().size() == 1);
  CHECK(site.told("WaitingForClaim") == 1);
  site.removeMachine("m0");
  site.settle(1min);
  checkUnused(site);
}

TEST_CASE("§15.2 (2) a template that is deleted stays until nobody uses it, and says so", "[data][deletion]") {
  DataSite site;
  site.settleOneMachine();
  site.remove<Metal3DataTemplate>("dt");
  site.settle(10min);
  CHECK(site.find<Metal3DataTemplate>("dt"));
  CHECK(site.told("WaitingForClaims") == 1);
  site.removeMachine("m0");
  site.settle(1min);
  CHECK_FALSE(site.find<Metal3DataTemplate>("dt"));
  checkUnused(site);
}

TEST_CASE("a deletion that the server refuses is told, and goes on later", "[data][deletion]") {
  DataSite site;
  site.settleOneMachine();
  site.denials = 1000;
  SECTION("of the data") {
    site.denied = "/metal3datas/dt-0";
    site.removeMachine("m0");
    site.settle(1min);
    const auto claim = site.find<Metal3DataClaim>("m0");
    REQUIRE(claim);
    CHECK(claim->status.errorMessage.starts_with("Failed to delete associated Metal3Data object: "));
    CHECK(site.told("DeletionRefused") == 1);
  }
  SECTION("of an address") {
    site.denied = "/ipclaims/dt-0-prov";
    site.removeMachine("m0");
    site.settle(1min);
    const auto data = site.find<Metal3Data>("dt-0");
    REQUIRE(data);
    CHECK(data->status.errorMessage.starts_with("Failed to release IP address leases: "));
    CHECK(site.told("ReleaseRefused") == 1);
  }
  site.denials = 0;
  site.settle(5min);
  checkUnused(site);
}

TEST_CASE("a claim for an address that is deleted keeps it as long as the data have it", "[data][deletion]") {
  DataSite site;
  site.settleOneMachine();
  site.remove<IPClaim>("dt-0-prov");
  site.settle(10min);
  CHECK(site.find<IPClaim>("dt-0-prov"));
  CHECK(site.names<api::ipam::IPAddress>().size() == 1);
  site.removeMachine("m0");
  site.settle(1min);
  checkUnused(site);
}

TEST_CASE("§16.5 addresses are given back when the claim is gone, not before", "[data][deletion]") {
  DataSite site;
  site.settleOneMachine();
  site.writes.clear();
  site.removeMachine("m0");
  site.settle(1min);
  checkUnused(site);
  const auto at = [&](std::string_view what) {
    const auto found =
        std::ranges::find_if(site.writes, [&](const auto& line) { return line.find(what) != std::string::npos; });
    REQUIRE(found != site.writes.end());
    return found - site.writes.begin();
  };
  CHECK(at("PATCH /apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/metal/metal3dataclaims/m0") <
        at("/ipclaims/dt-0-prov"));
  CHECK(at("PATCH /apis/ipam.metal3.io/v1alpha1/namespaces/metal/ipclaims/dt-0-prov") <
        at("DELETE /apis/ipam.metal3.io/v1alpha1/namespaces/metal/ipclaims/dt-0-prov"));
}

TEST_CASE("what somebody made to go by force leaves nothing behind", "[data][deletion]") {
  DataSite site;
  site.settleOneMachine();
  SECTION("the claim") {
    site.patch<Metal3DataClaim>("m0", kNoFinalizers);
    site.remove<Metal3DataClaim>("m0");
    site.remove<Metal3Machine>("m0");
  }
  SECTION("the data") {
    site.kill();
    site.removeByForce<Metal3Data>("dt-0");
    site.start();
    site.settle();
    site.removeMachine("m0");
  }
  SECTION("the machine") {
    site.remove<Metal3Machine>("m0");
    site.remove<Machine>("m0");
  }
  SECTION("the template") {
    site.patch<Metal3DataTemplate>("dt", kNoFinalizers);
    site.kill();
    site.patch<Metal3DataTemplate>("dt", kNoFinalizers);
    site.remove<Metal3DataTemplate>("dt");
    site.start();
    site.removeMachine("m0");
  }
  site.settle(5min);
  checkUnused(site);
}

TEST_CASE("in whatever order all is deleted, all of it goes", "[data][deletion]") {
  const bool asleep = GENERATE(false, true), addressFirst = GENERATE(false, true);
  std::vector<std::string> order{"claim", "data", "template"};
  do {
    CAPTURE(order, asleep, addressFirst);
    DataSite site;
    site.settleOneMachine();
    if (asleep) site.kill();
    auto steps = order;
    steps.insert(addressFirst ? steps.begin() : steps.end(), {"address", "pool"});
    for (const auto& step : steps) {
      if (step == "claim") site.removeMachine("m0");
      if (step == "data") site.remove<Metal3Data>("dt-0");
      if (step == "template") site.remove<Metal3DataTemplate>("dt");
      if (step == "address") site.remove<IPClaim>("dt-0-prov");
      if (step == "pool") site.remove<IPPool>("prov");
      if (!asleep) site.settle();
    }
    if (asleep) site.start();
    site.settle(2min);
    checkUnused(site);
    CHECK(site.names<Metal3DataTemplate>().empty());
    CHECK(site.names<IPPool>().empty());
  } while (std::ranges::next_permutation(order).found);
}

TEST_CASE("a deletion costs seven writes", "[data][budget]") {
  DataSite site;
  site.settleOneMachine();
  site.kill();
  site.addressManagement = false;
  site.start();
  site.settle();
  site.writes.clear();
  site.removeMachine("m0");
  site.settle();
  INFO(fmt::format("{}", fmt::join(site.writes, "\n")));
  CHECK(count(site.writes, "metal3datas/dt-0") == 3);  // the claim's finalizer, the deletion, ours
  CHECK(count(site.writes, "metal3dataclaims/m0") == 1);
  CHECK(count(site.writes, "ipclaims/dt-0-prov") == 2);  // our finalizer, the deletion
  CHECK(count(site.writes, "metal3datatemplates/dt/status") == 1);
  CHECK(site.writes.size() == 7);
  CHECK(site.told("WaitingForClaim") + site.told("WaitingForMachine") == 0);
}
