// spec/capm3.md §18 when others get in between: a host that changes hands, an owner that goes, a cluster that answers
// with errors, a process that was away.
#include "tests/coordinator/remediation/clean.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;

namespace {

constexpr const char* kLeavingPod = R"([{"metadata":{"name":"a","deletionTimestamp":"2026-01-01T00:00:00Z"}}])";
constexpr const char* kOtherConsumer = R"({"spec":{"consumerRef":{"kind":"Metal3Machine","namespace":"metal",)"
                                       R"("name":"m2","apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2"}}})";

void hold(RemediationSite& site) {
  site.remediate();
  REQUIRE(site.isHeldOff());
}

}  // namespace

TEST_CASE("a host that is another machine's is set free, whatever the remediation does", "[remediation]") {
  RemediationSite site;
  hold(site);
  SECTION("paused by itself, with its machine gone") {
    site.patch<Metal3Remediation>("m1", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})");
    site.remove<Metal3Machine>("m1");
    site.removeMachine();
  }
  SECTION("with another watch filter") {
    site.kill();
    site.watchFilter = "other";
    site.start();
    site.remove<Metal3Machine>("m1");
  }
  SECTION("with its Machine still there") { site.remove<Metal3Machine>("m1"); }
  site.patch<BareMetalHost>("h1", kOtherConsumer);
  site.settle(1min);
  CHECK_FALSE(isHeldByAnybody(site.host()));
}

TEST_CASE("a host that its machine has released is set free", "[remediation]") {
  RemediationSite site;
  hold(site);
  site.patch<Metal3Remediation>("m1", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})");
  site.patch<BareMetalHost>("h1", R"({"spec":{"consumerRef":null}})");
  site.settle(1min);
  CHECK_FALSE(isHeldByAnybody(site.host()));
}

TEST_CASE("a remediation without its Machine keeps no host off", "[remediation]") {
  RemediationSite site;
  hold(site);
  SECTION("whose owner reference was taken away") {
    site.patch<Metal3Remediation>("m1", R"({"metadata":{"ownerReferences":null}})");
    site.settle(1min);
    CHECK(site.told("MachineMissing") == 1);
  }
  SECTION("whose Machine is gone without it") {
    site.patch<Metal3Remediation>("m1", R"({"metadata":{"finalizers":["x.y/z"]}})");
    site.kill();
    site.removeMachine();
    site.start();
  }
  site.settle(1min);
  CHECK_FALSE(isHeldByAnybody(site.host()));
}

TEST_CASE("a remediation whose host cannot be read waits until it can", "[remediation]") {
  RemediationSite site;
  hold(site);
  site.kill();
  const bool isLeaving = GENERATE(false, true);
  site.removeByForce<BareMetalHost>("h1");  // the API lists none that it cannot read
  site.unreadable.add("baremetalhosts.metal3.io", {"metal", "h1"});
  if (isLeaving) site.remove<Metal3Remediation>("m1");
  site.start();
  site.settle(1min);
  CHECK(site.told("Unreadable") == 1);
  REQUIRE(site.exists());
  if (!isLeaving) return;
  site.unreadable = {};
  site.restart();
  site.settle(1min);
  CHECK_FALSE(site.exists());
}

TEST_CASE("a cluster that answers with errors is not one that hides its Nodes", "[remediation]") {
  using Refusal = RemediationSite::Refusal;
  SECTION("its machine is not switched off") {
    RemediationSite site;
    site.refusal = Refusal{.status = 503};
    site.restart();
    site.remediate();
    site.settle(5min);
    CHECK_FALSE(site.isHeldOff());
    CHECK(site.told("NodeUnknown") == 1);
  }
  for (const int status : {503, 403}) {
    DYNAMIC_SECTION("a taint is taken off by the next process too, after " << status) {
      RemediationSite site;
      hold(site);
      site.pods = kLeavingPod;
      site.obey();
      REQUIRE(site.isTainted());
      site.refusal = Refusal{.status = status, .path = "/api/v1/nodes"};
      site.restart();
      site.settle(1min);
      site.remove<Metal3Remediation>("m1");
      site.settle(1min);
      site.refusal.reset();
      site.settle(3min);
      CHECK_FALSE(site.exists());
      checkClean(site);
    }
  }
}

TEST_CASE("a process that begins long after a deletion still gives the Node back what it had", "[remediation]") {
  RemediationSite site;
  hold(site);
  site.pods = kLeavingPod;
  site.obey();
  REQUIRE(site.isTainted());
  site.kill();
  site.remove<Metal3Remediation>("m1");
  site.settle(11min);
  site.start();
  site.settle(1min);
  CHECK_FALSE(site.exists());
  checkClean(site);
}

TEST_CASE("a machine that recovers before its host is off keeps running", "[remediation]") {
  RemediationSite site;
  site.obeys = false;
  hold(site);
  site.healthy(true);
  site.settle(1min);
  CHECK_FALSE(site.isHeldOff());
  site.obeys = true;
  site.obey();
  CHECK(site.host().status.poweredOn);
}

TEST_CASE("a pause that is not seen yet is asked for before the power-off", "[remediation]") {
  RemediationSite site;
  bool isPaused = false;
  const char* paused = R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})";
  SECTION("of the remediation") {
    site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
      if (request.method != "GET" || !request.path().ends_with("metal3remediations/m1") ||
          std::exchange(isPaused, true))
        co_return;
      co_await site.patchMeanwhile<Metal3Remediation>("m1", paused);
    };
    site.remediate();
  }
  SECTION("of the Cluster") {
    site.heldWatch = "/clusters";
    site.watchHeldFor = 10min;
    site.restart();
    site.settle();
    site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
    site.remediate();
  }
  site.settle(1min);
  CHECK_FALSE(site.isHeldOff());
}

TEST_CASE("a Cluster that goes during a pass is not connected to", "[remediation]") {
  RemediationSite site;
  bool isGone = false;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method != "GET" || !request.path().ends_with("metal3remediations/m1") || std::exchange(isGone, true))
      co_return;
    co_await site.removeMeanwhile<Cluster>("c1");
  };
  site.remediate();
  REQUIRE(isGone);
  site.settle(1min);
  site.reads.clear();
  site.settle(5min);
  CHECK(std::ranges::count_if(site.reads, [](const auto& path) { return path.ends_with("c1-kubeconfig"); }) == 0);
}

TEST_CASE("what another host said proves nothing", "[remediation]") {
  RemediationSite site("27");
  site.power(false);
  BareMetalHost other = site.host();
  other.metadata = {.name = "h2", .namespace_ = "metal"};
  site.create(other);
  site.patchStatus<BareMetalHost>("h2", R"({"status":{"poweredOn":true,"errorMessage":"","operationalStatus":"OK",)"
                                        R"("provisioning":{"state":"provisioned","ID":"id"}}})");
  site.remediate();
  REQUIRE(site.isHeldOff());
  site.patch<Metal3Machine>("m1", R"({"metadata":{"annotations":{"metal3.io/BareMetalHost":"metal/h2"}}})");
  site.settle(1min);
  site.patch<Metal3Machine>("m1", R"({"metadata":{"annotations":{"metal3.io/BareMetalHost":"metal/h1"}}})");
  site.settle(8min);
  CHECK(site.node());
}

TEST_CASE("an attempt is not over while a process that has begun anew waits for a proof", "[remediation]") {
  RemediationSite site;
  site.remediate([](Metal3Remediation& it) { it.spec.strategy->timeoutSeconds = 300; });
  site.pods = kLeavingPod;
  site.obey();
  REQUIRE(site.isTainted());
  site.settle(30s);
  site.restart();
  site.settle(11min);
  CHECK(site.phase() == "Running");
  CHECK(site.it().status.retryCount == 0);
  site.pods = "[]";
  site.settle(1min);
  CHECK(site.phase() == "Waiting");
}

TEST_CASE("a host that was off all along is restarted in the first attempt", "[remediation]") {
  RemediationSite site;
  site.power(false);
  site.remediate();
  site.settle(12min);
  CHECK(site.phase() == "Waiting");
  CHECK(site.it().status.retryCount == 0);
}

TEST_CASE("a host that an agent reads as off is restarted at once", "[remediation]") {
  RemediationSite site;
  site.hasAgent = true;
  site.power(false);
  site.remediate();
  site.settle(12s);
  CHECK(site.phase() == "Waiting");
}

TEST_CASE("a Node is left alone while an agent reads its host as on", "[remediation]") {
  RemediationSite site(GENERATE("28", "27"));
  site.hasAgent = true;
  hold(site);
  site.agentReads = bmc::Power::on;
  site.obey();
  site.settle(1min);
  REQUIRE(site.node());
  CHECK_FALSE(site.isTainted());
  site.agentReads.reset();
  site.settle(1min);
  CHECK((!site.node() || site.phase() == "Waiting"));
}

TEST_CASE("time in which nobody acts is not an attempt's", "[remediation]") {
  RemediationSite site;
  site.remediate([](Metal3Remediation& it) { it.spec.strategy->timeoutSeconds = 100; });
  site.patchStatus<Metal3Remediation>("m1", R"({"status":{"retryCount":1}})");
  site.settle();
  SECTION("a pause") {
    site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
    site.settle(15min);
    site.patch<Cluster>("c1", R"({"spec":{"paused":false}})");
  }
  SECTION("a process that was away") {
    site.kill();
    site.settle(15min);
    site.start();
  }
  site.settle(30s);
  CHECK(site.ownerRemediated().empty());
  CHECK(site.phase() == "Running");
  site.settle(100s);
  CHECK(site.phase() == "Deleting machine");
}

TEST_CASE("a wall clock that is set hands no machine over, and keeps none from it", "[remediation]") {
  RemediationSite site;
  site.loop.clock.stepWall(GENERATE(0h, 2h));
  site.obeys = false;
  site.remediate([](Metal3Remediation& it) { it.spec.strategy->timeoutSeconds = 100; });
  site.patchStatus<Metal3Remediation>("m1", R"({"status":{"retryCount":1}})");
  site.settle(60s);
  site.loop.clock.stepWall(GENERATE(1h, -1h));
  SECTION("in the process that counts") {}
  SECTION("while there is none") { site.restart(); }
  site.settle(30s);
  CHECK(site.phase() == "Running");
  CHECK(site.ownerRemediated().empty());
  site.settle(100s);
  CHECK(site.phase() == "Deleting machine");
}

TEST_CASE("a Node that may not get something back keeps no deletion for ever", "[remediation]") {
  for (const int status : {422, 500}) {
    DYNAMIC_SECTION(status) {
      RemediationSite site("27");
      hold(site);
      site.obey();
      REQUIRE_FALSE(site.node());
      site.refusal = RemediationSite::Refusal{.status = status, .method = "PATCH"};
      site.remove<Metal3Remediation>("m1");
      site.settle();
      site.join();
      site.settle(5min);
      CHECK(site.exists());
      CHECK(site.told("NodeRefused") == 1);
      site.settle(7min);
      CHECK_FALSE(site.exists());
      CHECK(site.told("NodeNotRestored") == 1);
    }
  }
}

TEST_CASE("a host whose machine has recovered is not marked unhealthy", "[remediation]") {
  RemediationSite site;
  site.obeys = false;
  site.remediate([](Metal3Remediation& it) {
    it.spec.strategy->timeoutSeconds = 100;
    it.spec.strategy->retryLimit = 1;
  });
  site.settle(100s);
  REQUIRE(site.it().status.retryCount == 1);
  site.heldWatch = "/machines";
  site.watchHeldFor = 10min;
  site.restart();  // its caches are of before
  site.settle();
  site.healthy(true);
  site.settle(5min);
  CHECK(site.ownerRemediated().empty());
  CHECK_FALSE(site.host().metadata.annotations.contains("capm3.metal3.io/unhealthy"));
}

TEST_CASE("a host that is never to be switched off is not, and that is said", "[remediation]") {
  RemediationSite site;
  site.patch<BareMetalHost>("h1", R"({"spec":{"disablePowerOff":true}})");
  site.remediate();
  site.settle(1min);
  CHECK_FALSE(site.isHeldOff());
  CHECK(site.told("PowerOffDisabled") == 1);
}

TEST_CASE("why a Node is not known is told, each cause once", "[remediation]") {
  RemediationSite site;
  site.workload.reachable = false;
  site.remediate();
  site.settle(1min);
  CHECK(site.told("NodeUnknown") == 1);
  site.workload.reachable = true;
  site.refusal = {.status = 500, .path = "/api/v1/nodes"};
  site.settle(3min);
  CHECK(site.told("NodeUnknown") == 2);
  for (const auto& event : site.all<kube::Event>())
    if (event.reason == "NodeUnknown") CHECK_THAT(event.message, !Catch::Contains("being opened"));
}

TEST_CASE("a cluster that hides its Nodes is not waited for, a cut-off one within the attempt's time",
          "[remediation]") {
  RemediationSite site;
  SECTION("hidden while its host was being switched off") {
    site.remediate();
    REQUIRE(site.isHeldOff());
    site.refusal = {.status = 403, .path = "/api/v1/nodes"};
    site.workload.reachable = false;  // the watch ends
    site.settle(1min);
    site.workload.reachable = true;
    site.settle(1min);
    site.power(false);
    site.settle(5s);
  }
  SECTION("cut off") {
    site.remediate([](Metal3Remediation& it) { it.spec.strategy->timeoutSeconds = 150; });
    site.workload.reachable = false;
    site.settle(20s);
    site.obey();
    site.settle(110s);
    CHECK(site.it().status.retryCount == 0);
  }
  CHECK(site.phase() == "Waiting");
  CHECK(site.told("NodeNotFenced") == 1);
  CHECK_FALSE(site.isHeldOff());
}

TEST_CASE("waiting costs nothing", "[remediation]") {
  RemediationSite site;
  site.remediate();
  site.settle(1min);
  const auto writes = site.writes.size();
  const int passes = site.passes();
  site.settle(2min);
  CHECK(site.writes.size() == writes);
  CHECK(site.passes() - passes <= 5);
}
