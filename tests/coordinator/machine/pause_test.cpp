// spec/capm3.md §8.2, §12, spec/cluster-api.md §1.8: who rests, and what a user may do to a host meanwhile.
#include "api/bmh/carried_status.hpp"
#include "api/bmh/names.hpp"
#include "json/codec.hpp"
#include "tests/coordinator/machine/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {
const std::string kCarriedInUse = R"({"provisioning":{"state":"provisioned"},"poweredOn":true})";
}

TEST_CASE(
    "§8.2 (8), (9), §12, cluster-api §1.8 a pause of the Cluster reaches the hosts before they may be moved, and ends "
    "with it",
    "[machine]") {
  MachineSite site;
  site.putInService("h1", "m1");
  std::vector<std::string> patches;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method == "PATCH" && request.path().ends_with("/baremetalhosts/h1")) patches.push_back(request.body);
    co_return;
  };
  site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
  site.settle();
  REQUIRE(patches.size() == 2);
  CHECK_THAT(patches[0], Catch::Contains(std::string(api::annotation::paused)) && !Catch::Contains("block-move"));
  CHECK_THAT(patches[1], Catch::Contains(R"("clusterctl.cluster.x-k8s.io/block-move":null)"));
  const auto annotations = site.host("h1").metadata.annotations;
  CHECK(annotations.at(std::string(api::annotation::paused)) == "metal3.io/capm3");
  CHECK_FALSE(annotations.contains("clusterctl.cluster.x-k8s.io/block-move"));
  const auto status = json::parse(annotations.at(std::string(api::annotation::status)));
  CHECK(json::textAt(status, {"provisioning", "state"}) == "provisioned");
  CHECK_FALSE(status.get_object().contains("hardware"));
  CHECK(site.condition("m1", "Paused") == "True/Paused: Cluster spec.paused is set to true");
  CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith("True/AssociateBareMetalHostSuccess: host h"));
  site.patch<Cluster>("c1", R"({"spec":{"paused":false}})");
  site.settle();
  CHECK_FALSE(site.host("h1").metadata.annotations.contains(std::string(api::annotation::paused)));
  CHECK(site.host("h1").metadata.annotations.contains("clusterctl.cluster.x-k8s.io/block-move"));
  CHECK(site.condition("m1", "Paused") == "False/NotPaused");
}

TEST_CASE("§12 a status that a host carries and nobody has taken over yet outlives a pause of its Cluster",
          "[machine]") {
  const std::string state = GENERATE("provisioned", "provisioning", "future");
  const std::string carried = fmt::format(R"({{"provisioning":{{"state":"{}"}}, "poweredOn": true}})", state);
  MachineSite site;
  site.putInService("h1", "m1");
  site.patchStatus<BareMetalHost>("h1", R"({"status":null})");
  json::Object annotations{{std::string(api::annotation::status), carried}};
  json::Object metadata{{"annotations", std::move(annotations)}};
  site.patch<BareMetalHost>("h1", json::serialize(json::Object{{"metadata", std::move(metadata)}}));
  site.settle();
  REQUIRE_FALSE(site.host("h1").status.lastUpdated);
  for (const bool paused : {true, false, true}) {
    site.patch<Cluster>("c1", fmt::format(R"({{"spec":{{"paused":{}}}}})", paused));
    site.settle(1min);
    const auto shown = site.host("h1").metadata.annotations;
    CHECK(shown.at(std::string(api::annotation::status)) == carried);
    CHECK(shown.contains(std::string(api::annotation::paused)) == paused);
    // One that was refused, or would be done anew, does not go on.
    CHECK(shown.contains("clusterctl.cluster.x-k8s.io/block-move") == !(paused && state == "provisioned"));
  }
}

TEST_CASE("§12 a trouble that is told before a carried status is taken over does not block the move of its host",
          "[machine]") {
  const auto [trouble, isBlocked] = GENERATE(
      std::pair<std::string, bool>{"the API is silent", false},
      std::pair<std::string, bool>{R"(annotation baremetalhost.metal3.io/status holds the host back, lest a )"
                                   R"(machine in use be taken for a new one: its value "{what" cannot be read)",
                                   false},  // it was corrected since
      std::pair<std::string, bool>{api::notTakenByApi(kCarriedInUse) + ": no", true});
  CAPTURE(trouble);
  MachineSite site;
  site.putInService("h1", "m1");
  BareMetalHost told;
  told.status.errorMessage = trouble;
  site.patchStatus<BareMetalHost>("h1", R"({"status":null})");
  site.patchStatus<BareMetalHost>("h1", json::serialize(json::Object{{"status", json::encode(told.status)}}));
  const auto carry = [&](const std::string& text) {
    json::Object metadata{{"annotations", json::Object{{std::string(api::annotation::status), text}}}};
    site.patch<BareMetalHost>("h1", json::serialize(json::Object{{"metadata", std::move(metadata)}}));
  };
  const auto blocks = [&] {
    return site.host("h1").metadata.annotations.contains("clusterctl.cluster.x-k8s.io/block-move");
  };
  carry(kCarriedInUse);
  site.settle();
  REQUIRE_FALSE(site.host("h1").status.lastUpdated);
  REQUIRE(site.host("h1").status.errorMessage == trouble);
  site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
  site.settle(1min);
  CHECK(blocks() == isBlocked);
  carry(R"({"provisioning":{"state":"provisioned"},"poweredOn":false})");  // corrected while the host is paused
  site.settle(1min);
  CHECK_FALSE(blocks());
}

TEST_CASE("§12 a host that something is being done to rests with its Cluster, and may not be moved", "[machine]") {
  const std::string state = GENERATE("provisioning", "deprovisioning");
  MachineSite site;
  site.putInService("h1", "m1");
  site.state("h1", state);
  site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
  site.settle(2min);
  CHECK(site.host("h1").metadata.annotations.contains(std::string(api::annotation::paused)));
  CHECK(site.host("h1").metadata.annotations.contains("clusterctl.cluster.x-k8s.io/block-move"));
}

TEST_CASE("§12 a host that is deprovisioned for a machine in deletion blocks its move", "[machine]") {
  MachineSite site;
  site.putInService("h1", "m1");
  const auto blocks = [&] {
    return site.host("h1").metadata.annotations.contains("clusterctl.cluster.x-k8s.io/block-move");
  };
  const auto pause = [&](bool paused) {
    site.patch<Cluster>("c1", fmt::format(R"({{"spec":{{"paused":{}}}}})", paused));
    site.settle(1min);
  };
  SECTION("stopped at the end of a pause, in one write") {
    pause(true);
    REQUIRE_FALSE(blocks());
    site.removeMachine("m1");
    site.settle();
    site.writes.clear();
    pause(false);
    CHECK(site.writesTo("/baremetalhosts/h1").size() == 1);
  }
  SECTION("stopped already, and bared of it since") {
    site.removeMachine("m1");
    site.settle();
    site.patch<BareMetalHost>("h1", R"({"metadata":{"annotations":{"clusterctl.cluster.x-k8s.io/block-move":null}}})");
    site.settle(1min);
  }
  CHECK_FALSE(site.host("h1").spec.image);
  CHECK(blocks());
  site.state("h1", "deprovisioning");
  pause(true);
  CHECK(site.host("h1").metadata.annotations.contains(std::string(api::annotation::paused)));
  CHECK(blocks());
  pause(false);
  site.state("h1", "available");
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK_FALSE(blocks());
}

TEST_CASE("§12 a host that has come to rest before its machine lets it go is not written for the move", "[machine]") {
  MachineSite site;
  site.putInService("h1", "m1");
  site.removeMachine("m1");
  site.settle();
  site.kill();
  site.patch<BareMetalHost>("h1", R"({"metadata":{"annotations":{"clusterctl.cluster.x-k8s.io/block-move":null}}})");
  site.state("h1", "available");
  site.writes.clear();
  site.start();
  site.settle(1min);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.writesTo("/baremetalhosts/h1").size() == 1);
}

TEST_CASE("§8.1 the pause of a Cluster reaches a machine that does not bear its label", "[machine]") {
  MachineSite site;
  site.putInService("h1", "m1");
  site.patch<Metal3Machine>("m1", R"({"metadata":{"labels":null}})");
  site.settle(2min);
  site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
  site.settle();
  CHECK(site.host("h1").metadata.annotations.contains(std::string(api::annotation::paused)));
  const int passes = site.passes();
  site.settle(10min);
  CHECK(site.passes() == passes);
  site.patch<Cluster>("c1", R"({"spec":{"paused":false}})");
  site.settle();
  CHECK_FALSE(site.host("h1").metadata.annotations.contains(std::string(api::annotation::paused)));
}

TEST_CASE("§8.2 (10) a paused machine gets no host", "[machine]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", [](Metal3Machine& machine) { machine.metadata.annotations["cluster.x-k8s.io/paused"] = ""; });
  site.settle(2min);
  CHECK(site.consumer("h1").empty());
  CHECK(site.condition("m1", kAssociate) == "False/Paused: Metal3Machine has the cluster.x-k8s.io/paused annotation");
  CHECK(site.legacyCondition("m1", "AssociateBMH") == "False/Metal3MachinePaused");
  site.patch<Metal3Machine>("m1", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":null}}})");
  site.settle();
  CHECK(site.consumer("h1") == "m1");
}

TEST_CASE("§10.1 a pause between the claim of a host and the label of its Secret leaves the label for afterwards",
          "[machine]") {
  MachineSite site;
  site.addHost("h1");
  site.denied = "/secrets/h1-bmc";
  site.denials = 1000;
  site.addMachine("m1");
  site.settle();
  REQUIRE(site.consumer("h1") == "m1");
  const bool ofCluster = GENERATE(true, false);
  const auto pause = [&](bool paused) {
    if (ofCluster)
      site.patch<Cluster>("c1", paused ? R"({"spec":{"paused":true}})" : R"({"spec":{"paused":false}})");
    else
      site.patch<Metal3Machine>("m1", paused ? R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})"
                                             : R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":null}}})");
    site.settle();
  };
  pause(true);
  site.denials = 0;
  site.settle(1min);
  CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith("False/Paused"));
  const auto labels = [&] { return site.find<kube::Secret>("h1-bmc")->metadata.labels; };
  REQUIRE_FALSE(labels().contains("cluster.x-k8s.io/cluster-name"));
  pause(false);
  site.settle(1min);
  CHECK(labels()["cluster.x-k8s.io/cluster-name"] == "c1");
  CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith("True/"));
}

TEST_CASE("all reasons of a pause are told", "[machine]") {
  MachineSite site;
  site.putInService("h1", "m1");
  site.patch<Metal3Machine>("m1", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})");
  site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
  site.settle();
  CHECK(site.condition("m1", "Paused") ==
        "True/Paused: Cluster spec.paused is set to true, Metal3Machine has the cluster.x-k8s.io/paused annotation");
}

TEST_CASE("a power-off by hand of a machine's host is undone, and an Event says so", "[machine]") {
  MachineSite site;
  site.putInService("h1", "m1");
  REQUIRE(site.told("SwitchedOnForMachine") == 0);
  site.patch<BareMetalHost>("h1", R"({"spec":{"online":false}})");
  site.settle();
  CHECK(site.host("h1").spec.online);
  CHECK(site.told("SwitchedOnForMachine") == 1);
  CHECK(site.toldText("SwitchedOnForMachine") ==
        "spec.online is true again, as Metal3Machine m1 uses the host: to keep it off, pause that one by annotation "
        "cluster.x-k8s.io/paused, or annotate the host with reboot.metal3.io/NAME");
  site.patch<Metal3Machine>("m1", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})");
  site.settle();
  site.patch<BareMetalHost>("h1", R"({"spec":{"online":false}})");
  site.settle(2min);
  CHECK_FALSE(site.host("h1").spec.online);
  CHECK(site.told("SwitchedOnForMachine") == 1);
}

TEST_CASE("§12 a host that rests carries what its agents obey, and may not be moved before", "[machine]") {
  MachineSite site;
  const std::string term(api::label::term);
  const api::TermSeal seal(base::Secret("of the coordinator"));
  const auto carrying = [&](std::int64_t led) {
    return api::Carrying(api::CarriedTerm::of(led, "3f2a9c1e-0000"), seal);
  };
  const auto labelOf = [&](std::int64_t led, const std::string& lease) {
    return seal.label(api::CarriedTerm::of(led, lease), {"metal", "h1"});
  };
  const std::string ours = labelOf(7, "3f2a9c1e-0000");
  site.carrying = carrying(7);
  site.restart();
  site.putInService("h1", "m1");
  std::vector<std::string> patches;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method == "PATCH" && request.path().ends_with("/baremetalhosts/h1")) patches.push_back(request.body);
    co_return;
  };
  CHECK_FALSE(site.host("h1").metadata.labels.contains(term));
  site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
  site.settle();
  REQUIRE(patches.size() == 2);
  CHECK_THAT(patches[0], Catch::Contains(R"("ingot.dev/term":")" + ours));
  CHECK_THAT(patches[1], Catch::Contains(R"("clusterctl.cluster.x-k8s.io/block-move":null)"));
  SECTION("it is the leader's that follows while the host rests") {
    const auto status = site.host("h1").metadata.annotations.at(std::string(api::annotation::status));
    site.carrying = carrying(8);
    patches.clear();
    site.restart();
    site.settle();
    REQUIRE(patches.size() == 2);
    CHECK_THAT(patches[0], Catch::Contains(R"("clusterctl.cluster.x-k8s.io/block-move":"")"));
    const auto host = site.host("h1").metadata;
    CHECK(host.labels.at(term) == labelOf(8, "3f2a9c1e-0000"));
    CHECK_FALSE(host.annotations.contains("clusterctl.cluster.x-k8s.io/block-move"));
    CHECK(host.annotations.at(std::string(api::annotation::status)) == status);
  }
  SECTION("one that has arrived from elsewhere keeps that one's until ours is above it") {
    const bool isOpened = GENERATE(true, false);
    const std::string theirs = isOpened ? labelOf(7, "77aa88bb-0000") : "7.77aa88bb.of-another-key";
    site.patch<api::BareMetalHost>("h1", R"({"metadata":{"labels":{"ingot.dev/term":")" + theirs + R"("}}})");
    site.settle(2min);
    const auto labels = site.host("h1").metadata.labels;
    CHECK(labels.at(isOpened ? term : std::string(api::label::earlierTerm)) == theirs);
    CHECK(labels.at(term) == (isOpened ? theirs : ours));
    site.patch<Cluster>("c1", R"({"spec":{"paused":false}})");
    site.settle();
    CHECK(site.host("h1").metadata.labels.at(term) == theirs);
  }
  SECTION("it ends with the pause") {
    site.patch<Cluster>("c1", R"({"spec":{"paused":false}})");
    site.settle();
    CHECK_FALSE(site.host("h1").metadata.labels.contains(term));
    CHECK(site.host("h1").metadata.annotations.contains("clusterctl.cluster.x-k8s.io/block-move"));
  }
}
