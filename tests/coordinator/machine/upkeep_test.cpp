// spec/capm3.md §6.1, §8.1, §8.2 against an API: what brings a machine back, and how often it is tried.
#include "tests/coordinator/machine/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

constexpr const char* kSomeLabel = R"({"metadata":{"labels":{"rack":"7"}}})";

}  // namespace

TEST_CASE("§8.1 a change of what a machine depends on brings it back at once", "[machine][upkeep]") {
  MachineSite site;
  site.addHost("h1");
  site.addHost("free", {}, "provisioning");
  site.addMachine("m1", withTemplate);
  site.settle();
  site.renderData("m1");
  site.state("h1", "provisioned");
  site.join("h1", "n1");
  REQUIRE(site.isProvisioned("m1"));
  site.settle(2min);

  const auto passesAfter = [&](const std::function<void()>& change) {
    const int before = site.passes();
    change();
    site.loop.clock.advance(1s);
    return site.passes() - before;
  };
  REQUIRE(passesAfter([] {}) == 0);
  CHECK(passesAfter([&] { site.patch<Metal3Machine>("m1", kSomeLabel); }) > 0);
  CHECK(passesAfter([&] { site.patch<Machine>("m1", kSomeLabel); }) > 0);
  CHECK(passesAfter([&] { site.patch<Cluster>("c1", kSomeLabel); }) > 0);
  CHECK(passesAfter([&] { site.patch<Metal3Cluster>("c1", kSomeLabel); }) > 0);
  constexpr const char* kError = R"({"status":{"errorMessage":"no"}})";
  CHECK(passesAfter([&] { site.patchStatus<Metal3DataClaim>("m1", kError); }) > 0);
  CHECK(passesAfter([&] { site.patchStatus<Metal3Data>("m1-data", kError); }) > 0);
  CHECK(passesAfter([&] { site.patch<Metal3DataClaim>("m1", kSomeLabel); }) == 0);
  CHECK(passesAfter([&] { site.patch<Metal3Data>("m1-data", kSomeLabel); }) == 0);
  CHECK(passesAfter([&] { site.patch<BareMetalHost>("h1", kSomeLabel); }) > 0);
  CHECK(passesAfter([&] { site.patch<BareMetalHost>("free", kSomeLabel); }) == 0);
  constexpr const char* kOtherNic = R"({"status":{"hardware":{"nics":[{"name":"eth0","ip":"10.1.0.7"}]}}})";
  CHECK(passesAfter([&] { site.patchStatus<BareMetalHost>("free", kOtherNic); }) == 0);
  CHECK(passesAfter([&] { site.patchStatus<BareMetalHost>("h1", kOtherNic); }) > 0);
  const auto addresses = site.machine("m1").status.addresses;
  CHECK(std::ranges::any_of(addresses, [](const auto& one) { return one.address == "10.1.0.7"; }));
  CHECK(std::ranges::none_of(addresses, [](const auto& one) { return one.address == "10.1.0.1"; }));
}

TEST_CASE("§6.1 what may pass is looked at every half minute, other errors ever more seldom", "[machine][upkeep]") {
  MachineSite site;
  const auto passesIn = [&](base::Duration time) {
    const int before = site.passes();
    site.loop.clock.advance(time);
    return site.passes() - before;
  };
  SECTION("a wait") {
    site.addMachine("m1");
    site.settle(1s);
    CHECK_THAT(site.condition("m1", kAssociate), Catch::EndsWith(". Object will be requeued after 30s"));
    CHECK(passesIn(20s) == 0);
    const int passes = passesIn(10min);
    CHECK(passes >= 600 / 35);
    CHECK(passes <= 600 / 25);
  }
  SECTION("a mistake") {
    site.addHost("h1");
    site.addMachine("m1", [](Metal3Machine& machine) {
      api::capm3::v1beta2::HostSelectorRequirement nonsense;
      nonsense.key = "rack";
      nonsense.operator_ = "near";
      nonsense.values = {"7"};
      machine.spec.hostSelector = api::capm3::v1beta2::HostSelector{.matchLabels = {}, .matchExpressions = {nonsense}};
    });
    CHECK(passesIn(10s) >= 4);
    CHECK(site.condition("m1", kAssociate).find("requeued") == std::string::npos);
    CHECK(passesIn(10min) <= 10);
  }
}

TEST_CASE("§8.2 (3) a machine is where its Machine says", "[machine][upkeep]") {
  MachineSite site;
  site.addMachine("m1", [](Metal3Machine& machine) { machine.spec.failureDomain = "its own"; });
  site.settle();
  CHECK(site.machine("m1").spec.failureDomain.empty());
  site.patch<Machine>("m1", R"({"spec":{"failureDomain":"room-1"}})");
  site.settle();
  CHECK(site.machine("m1").spec.failureDomain == "room-1");
  site.patch<Metal3Machine>("m1", R"({"spec":{"failureDomain":"elsewhere"}})");
  site.settle();
  CHECK(site.machine("m1").spec.failureDomain == "room-1");
  site.addHost("far", {{"infrastructure.cluster.x-k8s.io/failure-domain", "room-2"}}, "provisioning");
  site.addHost("near", {{"infrastructure.cluster.x-k8s.io/failure-domain", "room-1"}}, "provisioning");
  site.kill();
  site.state("far", "available");
  site.state("near", "available");
  site.start();
  site.settle();
  CHECK(site.hostOf("m1") == "near");
}

// Cluster API labels a Machine with the Cluster that its spec names.
TEST_CASE("§8.2 (4) a Machine whose Cluster does not exist is waited for", "[machine][upkeep]") {
  MachineSite site;
  site.addHost("h1");
  site.ofCluster = "late";
  site.addMachine("m1");
  site.settle(70s);
  CHECK(site.consumer("h1").empty());
  CHECK(site.condition("m1", kAssociate) ==
        "False/WaitingForClusterInfrastructureReady: Machine is missing cluster label or cluster does not exist");
  CHECK(site.legacyCondition("m1", "AssociateBMH").empty());
  site.addCluster("late");
  site.settle(40s);
  CHECK(site.hostOf("m1") == "h1");
}
