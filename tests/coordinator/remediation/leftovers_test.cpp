// spec/capm3.md §18.3 against an API: hosts are set free, and Nodes get back what they had, however a remediation ends.
#include "tests/coordinator/remediation/clean.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;

TEST_CASE("§18.4, §21 Q26 a remediation that is deleted leaves nothing behind", "[remediation]") {
  RemediationSite site;
  SECTION("before the host is off") {
    site.remediate();
    REQUIRE(site.isHeldOff());
  }
  SECTION("while the Node is out of service") {
    site.remediate();
    site.pods = R"([{"metadata":{"name":"a","deletionTimestamp":"2026-01-01T00:00:00Z"}}])";
    site.obey();
    REQUIRE(site.isTainted());
  }
  SECTION("while the host comes back") {
    site.remediate();
    site.obey();
    REQUIRE(site.phase() == "Waiting");
  }
  SECTION("with the Metal3Machine gone") {
    site.remediate();
    REQUIRE(site.isHeldOff());
    site.remove<Metal3Machine>("m1");
    site.settle();
  }
  SECTION("with all of the machine gone") {
    site.remediate();
    REQUIRE(site.isHeldOff());
    site.kill();
    site.remove<Metal3Machine>("m1");
    site.removeMachine();
    site.start();
    site.settle();
  }
  if (site.exists()) site.remove<Metal3Remediation>("m1");
  site.settle();
  CHECK_FALSE(site.exists());
  checkClean(site);
}

TEST_CASE("a Cluster that no watch has shown yet is not taken for one that is gone", "[remediation]") {
  RemediationSite site;
  site.remediate();
  site.pods = R"([{"metadata":{"name":"a","deletionTimestamp":"2026-01-01T00:00:00Z"}}])";
  site.obey();
  REQUIRE(site.isTainted());
  site.kill();
  Cluster cluster;
  cluster.metadata = {.name = "c1", .namespace_ = "metal"};
  cluster.spec = site.find<Cluster>("c1")->spec;
  site.remove<Cluster>("c1");
  const bool isPaused = GENERATE(true, false);
  CAPTURE(isPaused);
  cluster.spec.paused = isPaused;
  site.heldWatch = "/clusters";
  site.watchHeldFor = 10min;
  bool isThere = false;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {  // it was not there to be listed
    const bool isAsked = request.method == "GET" && request.path().ends_with("/clusters/c1");
    if (isAsked && !std::exchange(isThere, true)) co_await site.createMeanwhile<Cluster>(cluster);
  };
  site.start();
  site.settle(9min);
  REQUIRE(isThere);
  CHECK(site.hasFinalizer());
  CHECK(site.isHeldOff());
  CHECK(site.isTainted());
  site.settle(2min);
  if (isPaused) site.patch<Cluster>("c1", R"({"spec":{"paused":false}})");
  site.settle();
  site.pods = "[]";
  site.remove<Metal3Remediation>("m1");
  site.settle(1min);
  checkClean(site);
}

TEST_CASE("a deletion waits for the Node that has to get something back, for some time", "[remediation]") {
  RemediationSite site("27");
  site.remediate();
  site.obey();
  REQUIRE_FALSE(site.node());
  site.remove<Metal3Remediation>("m1");
  site.settle();
  CHECK_FALSE(isHeldByAnybody(site.host()));
  CHECK(site.exists());
  CHECK(site.told("WaitingForNode") == 1);
  SECTION("it comes back") {
    site.obey();
    site.join();
    CHECK_FALSE(site.exists());
    checkClean(site);
  }
  SECTION("it does not") {
    site.settle(9min);
    CHECK(site.exists());
    site.settle(2min);
    CHECK_FALSE(site.exists());
    CHECK(site.told("NodeNotRestored") == 1);
  }
  SECTION("the machine goes") {
    site.removeMachine();
    site.settle();
    CHECK_FALSE(site.exists());
  }
}

TEST_CASE("a deletion waits for Nodes that are not known, for some time", "[remediation]") {
  RemediationSite site;
  site.remediate();
  site.pods = R"([{"metadata":{"name":"a","deletionTimestamp":"2026-01-01T00:00:00Z"}}])";
  site.obey();
  REQUIRE(site.isTainted());
  site.workload.reachable = false;
  site.settle(2min);
  site.remove<Metal3Remediation>("m1");
  site.settle();
  CHECK_FALSE(isHeldByAnybody(site.host()));
  SECTION("the cluster comes back") {
    site.settle(8min);
    CHECK(site.exists());
    site.workload.reachable = true;
    site.settle(2min);
    CHECK_FALSE(site.exists());
    checkClean(site);
  }
  SECTION("it does not") {
    site.settle(9min);
    CHECK(site.exists());
    site.settle(2min);
    CHECK_FALSE(site.exists());
    CHECK(site.told("NodeNotRestored") == 1);
  }
}

TEST_CASE("a cluster that hides its Nodes keeps no remediation from its end", "[remediation]") {
  const RemediationSite::Refusal hidden{.status = 403, .path = "/api/v1/nodes"};
  RemediationSite site;
  site.refusal = hidden;
  SECTION("restarted") {
    site.remediate();
    site.settle(1min);
    REQUIRE(site.isHeldOff());
    site.obey();
    site.settle(3min);
    CHECK(site.told("NodeNotFenced") == 1);
    CHECK(site.phase() == "Waiting");
    site.obey();
    CHECK_FALSE(site.hasFinalizer());
    CHECK(site.told("HostRestarted") == 1);
  }
  SECTION("deleted") {
    site.remediate();
    site.settle(1min);
    REQUIRE(site.isHeldOff());
    site.remove<Metal3Remediation>("m1");
    site.settle();
    CHECK_FALSE(site.exists());
    CHECK(site.told("NodeNotRestored") == 0);
  }
  SECTION("unless they were seen, and one is out of service") {
    site.refusal.reset();
    site.remediate();
    site.pods = R"([{"metadata":{"name":"a","deletionTimestamp":"2026-01-01T00:00:00Z"}}])";
    site.obey();
    REQUIRE(site.isTainted());
    site.refusal = hidden;
    site.workload.reachable = false;  // the watch ends
    site.settle(2min);
    site.workload.reachable = true;
    site.settle(2min);
    site.remove<Metal3Remediation>("m1");
    site.settle(1min);
    CHECK(site.exists());
    site.refusal.reset();
    site.settle(3min);
    CHECK_FALSE(site.exists());
  }
  checkClean(site);
}

TEST_CASE("a machine that goes frees its host at once", "[remediation]") {
  RemediationSite site;
  site.patch<Machine>("m1", R"({"metadata":{"finalizers":["machine.cluster.x-k8s.io"]}})");
  site.remediate();
  REQUIRE(site.isHeldOff());
  site.removeMachine();
  site.settle();
  CHECK_FALSE(isHeldByAnybody(site.host()));
  CHECK_FALSE(site.hasFinalizer());
  CHECK(site.ownerRemediated().empty());
}

TEST_CASE("a machine that is handed over and stays gets its Node back as it was", "[remediation]") {
  RemediationSite site("27");
  site.remediate();
  site.obey();
  REQUIRE_FALSE(site.node());
  site.obey();  // on, but its kubelet does not come back
  site.settle(10min);
  REQUIRE(site.it().status.retryCount == 1);
  site.obey();
  site.obey();
  site.settle(10min);
  REQUIRE(site.phase() == "Deleting machine");
  CHECK(site.ownerRemediated() == "False/WaitingForRemediation: Waiting for remediation");
  CHECK(site.hasFinalizer());
  SECTION("when its kubelet comes back") {
    site.join();
    CHECK_FALSE(site.hasFinalizer());
    REQUIRE(site.node());
  }
  SECTION("unless it goes") {
    site.removeMachine();
    site.settle();
    CHECK_FALSE(site.exists());
  }
  checkClean(site);
}

TEST_CASE("what a deleted Node had outlives an attempt", "[remediation]") {
  RemediationSite site("27");
  site.remediate([](Metal3Remediation& it) { it.spec.strategy->timeoutSeconds = 900; });
  site.obey();
  REQUIRE_FALSE(site.node());
  site.settle(15min);  // the host does not go on
  CHECK(site.it().status.retryCount == 1);
  CHECK(site.phase() == "Running");
  CHECK(site.isHeldOff());
  site.settle(11min);
  CHECK(site.phase() == "Waiting");
  site.obey();
  site.join();
  CHECK_FALSE(site.hasFinalizer());
  checkClean(site);
}

TEST_CASE("a machine that has moved to another host leaves none switched off", "[remediation]") {
  RemediationSite site;
  site.remediate();
  REQUIRE(site.isHeldOff());
  auto other = site.host();
  other.metadata = {.name = "h2", .namespace_ = "metal"};
  other.status = {};
  site.create(other);
  const auto power = [&](bool on) {
    site.patchStatus<BareMetalHost>("h2", fmt::format(R"({{"status":{{"poweredOn":{},"errorMessage":"","errorCount":0,)"
                                                      R"("operationalStatus":"OK","provisioning":{{)"
                                                      R"("state":"provisioned","ID":"id"}}}}}})",
                                                      on));
    site.settle();
  };
  power(true);
  site.patch<Metal3Machine>("m1", R"({"metadata":{"annotations":{"metal3.io/BareMetalHost":"metal/h2"}}})");
  site.settle();
  CHECK(isHeldByAnybody(site.find<BareMetalHost>("h2").value()));
  power(false);
  power(true);
  CHECK_FALSE(site.hasFinalizer());
  CHECK_FALSE(isHeldByAnybody(site.find<BareMetalHost>("h2").value()));
  checkClean(site);
}

TEST_CASE("a Node that somebody else is deleting comes back as it was", "[remediation]") {
  RemediationSite site("27");
  site.workload.patch<kube::Node>({"", "n1"}, R"({"metadata":{"finalizers":["x.y/z"]}})");
  site.remediate();
  site.workload.remove<kube::Node>({"", "n1"});
  site.settle();
  REQUIRE(site.node().value().metadata.beingDeleted());
  site.obey();
  CHECK(site.told("WaitingForNodeDeletion") == 1);
  site.workload.patch<kube::Node>({"", "n1"}, R"({"metadata":{"finalizers":null}})");
  site.settle();
  site.obey();
  site.join();
  CHECK(site.node().value().metadata.labels.at("role") == "db");
  CHECK(site.node().value().metadata.annotations.at("note") == "kept");
  checkClean(site);
}
