// Machines that want the same: one host, or the workers of the controller (spec/capm3.md §9, §10, §11, §13.2).
#include "tests/coordinator/machine/site.hpp"

#include "kube/core/secret.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

const std::string kCluster = "cluster.x-k8s.io/cluster-name";

}  // namespace

TEST_CASE("machines of two Clusters that want one host get it one after the other", "[machine][rivals]") {
  MachineSite site;
  site.addCluster("c2");
  site.addMachine("m1");
  site.ofCluster = "c2";
  site.addMachine("m2");
  site.settle();
  site.addHost("h1");
  site.settle(40s);
  const std::string winner = site.consumer("h1");
  REQUIRE((winner == "m1" || winner == "m2"));
  const std::string loser = winner == "m1" ? "m2" : "m1";
  const auto clusterOf = [](const std::string& machine) { return machine == "m1" ? "c1" : "c2"; };
  CHECK(site.host("h1").metadata.labels.at(kCluster) == clusterOf(winner));
  CHECK(site.host("h1").spec.userData->name == winner + "-boot");
  CHECK(site.find<kube::Secret>("h1-bmc")->metadata.labels.at(kCluster) == clusterOf(winner));
  CHECK(site.hostOf(loser).empty());
  CHECK(site.machine(loser).metadata.finalizers.empty());
  CHECK_THAT(site.condition(loser, kAssociate), Catch::StartsWith("False/AssociateBareMetalHostFailed: ") &&
                                                    Catch::Contains("no available host found (1 host: 1 in use)"));

  site.state("h1", "provisioned");
  site.removeMachine(winner);
  site.settle();
  CHECK(site.consumer("h1") == winner);
  site.state("h1", "available");
  site.settle(40s);
  CHECK(site.consumer("h1") == loser);
  CHECK(site.host("h1").metadata.labels.at(kCluster) == clusterOf(loser));
  CHECK(site.host("h1").spec.userData->name == loser + "-boot");
  CHECK(site.find<kube::Secret>("h1-bmc")->metadata.labels.at(kCluster) == clusterOf(loser));
}

TEST_CASE("the loser of a race for the last host counts it as one in use", "[machine][rivals]") {
  MachineSite site;
  site.addHost("h1");
  site.kill();
  site.addMachine("m1");
  site.addMachine("m2");
  site.start();
  site.settle();
  const std::string loser = site.consumer("h1") == "m1" ? "m2" : "m1";
  CHECK_THAT(site.condition(loser, kAssociate), Catch::Contains("no available host found (1 host: 1 in use)"));
}

TEST_CASE("§8.5 a machine that somebody forestalls at the last host names none", "[machine][rivals]") {
  MachineSite site;
  site.addHost("h1");
  bool isTaken = false;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method != "GET" || !request.path().ends_with("/baremetalhosts/h1")) co_return;
    if (std::exchange(isTaken, true)) co_return;
    co_await site.patchMeanwhile<BareMetalHost>(
        "h1", R"({"spec":{"consumerRef":{"kind":"Metal3Machine","namespace":"metal","name":"rival",)"
              R"("apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2"}}})");
  };
  site.addMachine("m1");
  site.settle();
  REQUIRE(site.consumer("h1") == "rival");
  CHECK(site.hostOf("m1").empty());
  CHECK(site.machine("m1").metadata.finalizers.empty());
  CHECK_THAT(site.condition("m1", kAssociate), Catch::Contains("no available host found (1 host: 1 in use)"));
  const auto written = site.writesTo("/metal3machines/m1").size();
  site.settle(4min);
  CHECK(site.writesTo("/metal3machines/m1").size() == written);
  site.addHost("h2");
  site.settle();
  CHECK(site.hostOf("m1") == "h2");
}

TEST_CASE("a host that the first machine in the line does not take goes to the next one at once", "[machine][rivals]") {
  MachineSite site;
  site.addMachine("m1");
  site.settle();
  site.addMachine("m2");
  site.settle();
  SECTION("because it rests") {
    site.patch<Metal3Machine>("m1", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})");
  }
  SECTION("because it waits for its bootstrap data") {
    site.patchStatus<Machine>("m1", R"({"status":{"initialization":null}})");
  }
  site.settle(5s);
  site.addHost("h1");
  site.settle(1s);
  CHECK(site.consumer("h1") == "m2");
}

TEST_CASE("a workload cluster that keeps its answers to itself holds up no other one's machines", "[machine][rivals]") {
  MachineSite site;
  constexpr int kMachines = 12;  // more than the controller has workers
  const auto named = [](const char* what, int i) { return fmt::format("{}{}", what, i); };
  for (int i = 0; i < kMachines; ++i) {
    site.addHost(named("h", i));
    site.addMachine(named("m", i));
  }
  site.settle();
  for (int i = 0; i < kMachines; ++i) site.state(named("h", i), "provisioned");
  site.addCluster("c2");
  site.ofCluster = "c2";
  site.addHost("other");
  site.addMachine("other");
  site.settle();
  site.state("other", "provisioned");
  REQUIRE(site.consumer("other") == "other");

  site.workload.heldWrite = "/nodes/slow";
  site.workload.heldFor = 1h;
  const auto appear = [&](const std::string& host, const std::string& name) {
    kube::Node node;
    node.metadata.name = name;
    node.metadata.labels["metal3.io/uuid"] = site.host(host).metadata.uid;
    site.workload.create(std::move(node));
  };
  for (int i = 0; i < kMachines; ++i) appear(named("h", i), named("slow", i));
  site.settle(100ms);
  appear("other", "n1");
  site.settle(1s);
  CHECK(site.isProvisioned("other"));

  site.workload.heldWrite.clear();
  site.settle(2min);
  for (int i = 0; i < kMachines; ++i) CHECK(site.isProvisioned(named("m", i)));
}

TEST_CASE("workload clusters that keep their answers to themselves hold up no claims of others", "[machine][rivals]") {
  MachineSite site;
  constexpr int kMachines = 12;  // of four clusters
  const auto named = [](const char* what, int i) { return fmt::format("{}{}", what, i); };
  for (int c = 2; c <= 5; ++c) site.addCluster(named("c", c));
  for (int i = 0; i < kMachines; ++i) {
    site.ofCluster = named("c", 2 + i % 4);
    site.addHost(named("h", i));
    site.addMachine(named("m", i));
  }
  site.settle();
  for (int i = 0; i < kMachines; ++i) site.state(named("h", i), "provisioned");
  site.settle();
  site.workload.heldWrite = "/nodes/slow";
  site.workload.heldFor = 1h;
  for (int i = 0; i < kMachines; ++i) {
    kube::Node node;
    node.metadata.name = named("slow", i);
    node.metadata.labels["metal3.io/uuid"] = site.host(site.hostOf(named("m", i))).metadata.uid;
    site.workload.create(std::move(node));
  }
  site.settle(100ms);
  site.ofCluster = "c1";
  for (int i = 0; i < 5; ++i) {
    site.addHost(named("other", i));
    site.addMachine(named("other", i));
    site.settle(1s);
    CHECK(site.consumer(named("other", i)) == named("other", i));
  }
}

TEST_CASE("many Nodes that come at once are named at once", "[machine][rivals]") {
  MachineSite site;
  constexpr int kMachines = 12;
  for (int i = 0; i < kMachines; ++i) {
    site.addHost(fmt::format("h{}", i));
    site.addMachine(fmt::format("m{}", i));
  }
  site.settle();
  for (int i = 0; i < kMachines; ++i) site.state(fmt::format("h{}", i), "provisioned");
  site.workload.heldWrite = "/nodes/";
  site.workload.heldFor = 10ms;
  for (int i = 0; i < kMachines; ++i) {
    kube::Node node;
    node.metadata.name = fmt::format("n{}", i);
    node.metadata.labels["metal3.io/uuid"] = site.host(fmt::format("h{}", i)).metadata.uid;
    site.workload.create(std::move(node));
  }
  site.settle(1s);
  for (int i = 0; i < kMachines; ++i) CHECK(site.isProvisioned(fmt::format("m{}", i)));
}

// A rival's write comes after the machine has read the host, and before its own write arrives.
TEST_CASE("§10.1, §11 a host that a rival takes before any write of its machine stays as the rival left it",
          "[machine][rivals]") {
  constexpr const char* kTakeover =
      R"({"metadata":{"labels":{"cluster.x-k8s.io/cluster-name":"theirs"},)"
      R"("annotations":{"baremetalhost.metal3.io/paused":null}},)"
      R"("spec":{"online":true,"userData":{"name":"their-user-data","namespace":"metal"},)"
      R"("image":{"url":"http://images/theirs.raw","checksum":"http://images/sums"},)"
      R"("consumerRef":{"kind":"Metal3Machine","namespace":"metal","name":"rival",)"
      R"("apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2"}}})";
  bool isTaken = true;
  std::size_t last = 0;
  for (std::size_t which = 0; isTaken; ++which) {
    CAPTURE(which);
    MachineSite site;
    isTaken = false;
    std::size_t seen = 0;
    site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
      if (request.method != "PATCH" || !request.path().ends_with("/baremetalhosts/h1")) co_return;
      if (seen++ != which) co_return;
      isTaken = true;
      co_await site.patchMeanwhile<BareMetalHost>("h1", kTakeover);
    };
    site.addHost("h1");
    site.addMachine("m1", withTemplate);
    site.settle();
    if (!isTaken) site.renderData("m1");
    if (!isTaken) site.state("h1", "provisioned");
    if (!isTaken) site.join("h1", "n1");
    if (!isTaken) site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
    site.settle();
    site.patch<Cluster>("c1", R"({"spec":{"paused":false}})");
    site.settle();
    site.removeMachine("m1");
    site.settle();
    if (!isTaken) site.state("h1", "available");
    site.settle(3min);
    CHECK_FALSE(site.find<Metal3Machine>("m1"));
    if (!isTaken) continue;
    last = which;
    const auto host = site.host("h1");
    CHECK(site.consumer("h1") == "rival");
    CHECK(host.spec.online);
    CHECK(host.spec.image->url == "http://images/theirs.raw");
    CHECK(host.spec.userData->name == "their-user-data");
    CHECK(host.metadata.labels.at("cluster.x-k8s.io/cluster-name") == "theirs");
    CHECK_FALSE(host.metadata.annotations.contains("baremetalhost.metal3.io/paused"));
  }
  CHECK(last == 6);  // claim, what to run, pause, the move's block, resumption, stop, letting go
}
