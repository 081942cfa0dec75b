// spec/capm3.md §9.2, §10.1, docs/decisions/0050: a host that has lost its consumer is claimed again by the machine
// that told it what it runs, and by no other one, whatever that says of itself.
#include "tests/coordinator/machine/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

constexpr const char* kNobodys = R"({"spec":{"consumerRef":null}})";
constexpr const char* kUnmarked = R"({"metadata":{"annotations":{"ingot.dev/told-by":null}}})";

void linkedToH1(Metal3Machine& machine) { machine.metadata.annotations["metal3.io/BareMetalHost"] = "metal/h1"; }

// Somebody provisioned it by hand, with the user data that the Machine of m1 will name.
void provisionByHand(MachineSite& site, const Labels& labels = {}) {
  site.addHost("h1", labels, "provisioned");
  site.patch<BareMetalHost>("h1", R"({"spec":{"image":{"url":"http://images/db.raw","checksum":"c"},"online":true,)"
                                  R"("userData":{"name":"m1-boot","namespace":"metal"}}})");
}

// Of the same name, as `clusterctl move` and backups make them: without status, with another uid.
void makeAnew(MachineSite& site, const std::string& name) {
  const auto before = site.machine(name);
  site.removeByForce<Metal3Machine>(name);
  site.removeByForce<Machine>(name);
  site.addMachine(name, [&](Metal3Machine& machine) {
    linkedToH1(machine);
    machine.metadata.finalizers = before.metadata.finalizers;
    machine.spec.providerID = before.spec.providerID;
  });
  REQUIRE(site.machine(name).metadata.uid != before.metadata.uid);
}

}  // namespace

TEST_CASE("§9.2, §10.1 a host that somebody has provisioned by hand is claimed by no machine, and erased by none",
          "[machine][lost]") {
  MachineSite site;
  bool saysMore = false;
  Labels labels;
  SECTION("that links to it and names its user data") {}
  SECTION("whose Cluster the host is labelled with") { labels = {{"cluster.x-k8s.io/cluster-name", "c1"}}; }
  SECTION("that says to be in service on it") { saysMore = true; }
  provisionByHand(site, labels);
  const auto before = site.host("h1").spec;
  site.addMachine("m1", [&](Metal3Machine& machine) {
    linkedToH1(machine);
    if (saysMore) machine.spec.providerID = "metal3://metal/h1/m1";
  });
  if (saysMore)
    site.patchStatus<Metal3Machine>(
        "m1", R"({"status":{"userData":{"name":"m1-boot","namespace":"metal"},"initialization":{"provisioned":true},)"
              R"("addresses":[{"type":"InternalIP","address":"10.1.0.1"}]}})");
  site.settle(3min);
  CHECK(site.host("h1").spec == before);
  CHECK_THAT(site.condition("m1", kAssociate) + site.condition("m1", kMetaData),
             Catch::Contains("host h1 has no consumer any more, and may not be claimed again"));
  site.removeMachine("m1");
  site.settle(3min);
  CHECK(site.host("h1").spec == before);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
}

TEST_CASE("§10.1 a host that its machine told what to run is claimed again by that one alone", "[machine][lost]") {
  MachineSite site;
  site.putInService("h1", "m1");
  site.kill();
  site.patch<BareMetalHost>("h1", kNobodys);
  std::string claims;
  SECTION("as it was") { claims = "m1"; }
  SECTION("unless it is another one of that name") { makeAnew(site, "m1"); }
  SECTION("unless it was told otherwise since") {
    site.patch<BareMetalHost>("h1", R"({"spec":{"userData":{"name":"db-boot"}}})");
    site.patch<Machine>("m1", R"({"spec":{"bootstrap":{"dataSecretName":"db-boot"}}})");
    site.patchStatus<Metal3Machine>("m1", R"({"status":{"userData":{"name":"db-boot"}}})");
  }
  const auto before = site.host("h1").spec;
  site.start();
  site.settle(3min);
  CHECK(site.consumer("h1") == claims);
  if (claims.empty()) CHECK(site.host("h1").spec == before);
}

TEST_CASE("§10.1 a machine that has come with a move, or from a backup, claims its host again", "[machine][lost]") {
  MachineSite site;
  site.putInService("h1", "m1");
  site.kill();
  makeAnew(site, "m1");
  site.start();
  site.settle();
  REQUIRE(site.consumer("h1") == "m1");
  site.patch<BareMetalHost>("h1", kNobodys);
  site.settle(1min);
  CHECK(site.consumer("h1") == "m1");
}

TEST_CASE("§10.1 a machine that another provider has served claims its host again", "[machine][lost]") {
  MachineSite site;
  site.putInService("h1", "m1");
  site.kill();
  site.patch<BareMetalHost>("h1", kUnmarked);
  site.start();
  site.settle();
  site.patch<BareMetalHost>("h1", kNobodys);
  site.settle(1min);
  CHECK(site.consumer("h1") == "m1");
}

TEST_CASE("§10.1 a host that cannot be marked as its machine's keeps that from nothing", "[machine][lost]") {
  MachineSite site;
  site.deploy();
  site.kill();
  site.patch<BareMetalHost>("h1", kUnmarked);
  site.forbidden = "/baremetalhosts/h1";
  site.start();
  site.settle();
  site.join("h1", "n1");
  CHECK(site.isProvisioned("m1"));
  site.forbidden = "";
  site.settle(6min);
  CHECK(site.host("h1").metadata.annotations.contains("ingot.dev/told-by"));
}

TEST_CASE("§11 a host that is stopped bears no longer who told it what to run", "[machine][departure]") {
  MachineSite site;
  site.putInService("h1", "m1");
  const auto marks = [&] { return site.host("h1").metadata.annotations.contains("ingot.dev/told-by"); };
  CHECK(marks());
  site.removeMachine("m1");
  site.settle();
  CHECK_FALSE(site.host("h1").spec.image);
  CHECK_FALSE(marks());
}

TEST_CASE("§10.1 a mark that a host has kept from an earlier machine goes with the claim", "[machine][lost]") {
  MachineSite site;
  site.addHost("h1");
  site.patch<BareMetalHost>("h1", R"({"metadata":{"annotations":{"ingot.dev/told-by":"somebody/m0-boot"}}})");
  site.addMachine("m1", withTemplate);
  site.settle();
  REQUIRE(site.consumer("h1") == "m1");
  CHECK_FALSE(site.host("h1").metadata.annotations.contains("ingot.dev/told-by"));
}
