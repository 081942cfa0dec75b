// spec/capm3.md §18.3, §18.4 against an API: how remediations end, and what they leave behind: nothing.
#include "tests/coordinator/remediation/clean.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;

namespace {

const std::string kUnhealthy = "capm3.metal3.io/unhealthy";

// In vain: the machine is handed over once the time of the second attempt is over.
void restartTwice(RemediationSite& site) {
  site.remediate();
  for (const auto untilNext : {10min, 0min}) {
    site.obey();
    site.obey();
    REQUIRE_FALSE(site.hasFinalizer());
    site.settle(untilNext);
  }
}

}  // namespace

TEST_CASE("§18.3 (5), (6) an attempt that does not help is followed by another, and then the owner is asked",
          "[remediation]") {
  RemediationSite site;
  site.remediate();
  site.obey();
  site.obey();
  REQUIRE_FALSE(site.hasFinalizer());
  site.settle(10min);
  CHECK(site.phase() == "Running");
  CHECK(site.it().status.retryCount == 1);
  CHECK(site.told("RemediationRetried") == 1);
  CHECK(site.hasFinalizer());
  CHECK(site.isHeldOff());
  CHECK(site.ownerRemediated().empty());
  site.obey();
  site.obey();
  CHECK(site.phase() == "Waiting");
  site.settle(10min);
  CHECK(site.phase() == "Deleting machine");
  CHECK(site.ownerRemediated() == "False/WaitingForRemediation: Waiting for remediation");
  CHECK(site.ownerRemediatedLegacy() == "False/Warning/WaitingForRemediation");
  CHECK(site.host().metadata.annotations.at(kUnhealthy) == "capm3/UnhealthyNode");
  CHECK_FALSE(site.hasFinalizer());
  CHECK(site.told("RemediationFailed") == 1);
  checkClean(site);
}

TEST_CASE("§18.3, §21 Q30 a host that refuses to go off, or on, is not waited for for ever", "[remediation]") {
  RemediationSite site;
  site.remediate();
  base::Duration proof{};
  SECTION("off") {}
  SECTION("on") {
    proof = 10min;  // the second attempt finds it off
    site.obey();
    REQUIRE(site.phase() == "Waiting");
  }
  SECTION("a Node that is never empty") {
    site.pods = R"([{"metadata":{"name":"a","deletionTimestamp":"2026-01-01T00:00:00Z"}}])";
    site.obey();
    REQUIRE(site.isTainted());
    CHECK(site.told("WaitingForDrain") == 1);
  }
  site.settle(11min);
  CHECK(site.it().status.retryCount == 1);
  site.settle(10min + proof);
  CHECK(site.phase() == "Deleting machine");
  CHECK_FALSE(site.hasFinalizer());
  checkClean(site);
}

TEST_CASE("a host that goes away, or the machine that has it, is not waited for for ever", "[remediation]") {
  RemediationSite site;
  site.remediate();
  std::string reason, text;
  SECTION("the host") {
    site.remove<BareMetalHost>("h1");
    reason = "HostMissing", text = "BareMetalHost h1 is not there";
  }
  SECTION("the machine") {
    site.remove<Metal3Machine>("m1");
    reason = "Metal3MachineMissing", text = "Metal3Machine m1 of Machine m1 is not there";
  }
  site.settle(21min);
  CHECK(site.told(reason) >= 1);
  CHECK(site.toldText(reason) == text);
  CHECK(site.phase() == "Deleting machine");
  CHECK_FALSE(site.hasFinalizer());
  CHECK(site.ownerRemediated() == "False/WaitingForRemediation: Waiting for remediation");
}

TEST_CASE("a machine that is well again is not restarted again", "[remediation]") {
  RemediationSite site;
  site.remediate();
  site.obey();
  site.obey();
  site.healthy(true);
  site.settle(30min);
  CHECK(site.it().status.retryCount == 0);
  CHECK(site.phase() == "Waiting");
  site.healthy(false);
  site.settle();
  CHECK(site.it().status.retryCount == 1);
}

TEST_CASE("a machine is handed over although its cluster does not answer; what is left follows", "[remediation]") {
  RemediationSite site;
  site.remediate([](Metal3Remediation& it) { it.spec.strategy->timeoutSeconds = 100; });
  site.pods = R"([{"metadata":{"name":"a","deletionTimestamp":"2026-01-01T00:00:00Z"}}])";
  site.obey();
  REQUIRE(site.isTainted());
  site.workload.reachable = false;
  site.settle(4min);
  CHECK(site.phase() == "Deleting machine");
  CHECK_FALSE(isHeldByAnybody(site.host()));
  CHECK(site.hasFinalizer());
  SECTION("once it answers") {
    site.workload.reachable = true;
    site.settle(2min);
    CHECK_FALSE(site.hasFinalizer());
    checkClean(site);
  }
  SECTION("or with the machine") {
    site.removeMachine();
    site.settle();
    CHECK_FALSE(site.exists());
  }
}

TEST_CASE("§18.1 (4) a host that an operator has switched off stays so, and the remediation fails", "[remediation]") {
  RemediationSite site("27");
  SECTION("before") {
    site.patch<BareMetalHost>("h1", R"({"spec":{"online":false}})");
    site.remediate();
    CHECK(site.phase() == "Failed");
    CHECK(site.all<kube::Event>().at(0).message == "Host h1 is switched off by hand (spec.online: false)");
    CHECK_FALSE(site.hasFinalizer());
    CHECK(site.node());
  }
  SECTION("half way") {
    site.remediate();
    site.obey();
    REQUIRE_FALSE(site.node());
    site.patch<BareMetalHost>("h1", R"({"spec":{"online":false}})");
    site.settle();
    CHECK(site.phase() == "Failed");
    CHECK_FALSE(site.isHeldOff());
    CHECK(site.hasFinalizer());
    site.join();  // whenever somebody switches it on
    CHECK_FALSE(site.hasFinalizer());
    checkClean(site);
  }
  site.patch<BareMetalHost>("h1", R"({"spec":{"online":true}})");
  site.settle(30min);
  CHECK(site.phase() == "Failed");
}

TEST_CASE("§18.1 (5) a remediation without a strategy does nothing, and says so", "[remediation]") {
  RemediationSite site;
  site.remediate([](Metal3Remediation& it) { it.spec.strategy.reset(); });
  site.settle(1min);
  CHECK(site.phase().empty());
  CHECK_FALSE(site.isHeldOff());
  CHECK(site.told("NoStrategy") == 1);
  site.patch<Metal3Remediation>("m1", R"({"spec":{"strategy":{"type":"Reboot","retryLimit":1,"timeoutSeconds":600}}})");
  site.settle();
  CHECK(site.isHeldOff());
}

TEST_CASE("a remediation whose strategy is taken away stops, and hands nothing over", "[remediation]") {
  RemediationSite site;
  site.remediate();
  SECTION("before the host is off") { REQUIRE(site.isHeldOff()); }
  SECTION("with the Node out of service") {
    site.pods = R"([{"metadata":{"name":"a","deletionTimestamp":"2026-01-01T00:00:00Z"}}])";
    site.obey();
    REQUIRE(site.isTainted());
  }
  site.patch<Metal3Remediation>("m1", R"({"spec":{"strategy":null}})");
  site.settle();
  CHECK_FALSE(site.hasFinalizer());
  CHECK(site.told("NoStrategy") == 1);
  checkClean(site);
  site.settle(30min);
  CHECK(site.phase() == "Running");
  CHECK(site.ownerRemediated().empty());
  site.obey();
  site.patch<Metal3Remediation>("m1", R"({"spec":{"strategy":{"type":"Reboot","retryLimit":1,"timeoutSeconds":600}}})");
  site.settle();
  CHECK(site.isHeldOff());
}

TEST_CASE("a machine that recovers while it is being handed over keeps its host, unmarked", "[remediation]") {
  RemediationSite site;
  restartTwice(site);
  bool recovers = true, isOperators = false;
  SECTION("and goes on") {}
  SECTION("and is taken back by its health check") {
    site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
      if (request.method == "PATCH" && request.path().ends_with("/machines/m1/status") && recovers)
        co_await site.removeMeanwhile<Metal3Remediation>("m1");
    };
  }
  SECTION("but for an operator's own mark") {
    isOperators = true;
    site.patch<BareMetalHost>("h1", R"({"metadata":{"annotations":{"capm3.metal3.io/unhealthy":"bad fan"}}})");
  }
  site.meanwhile = [&, before = site.meanwhile](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method != "PATCH" || !request.path().ends_with("/machines/m1/status") || !recovers) co_return;
    CHECK(site.host().metadata.annotations.contains(kUnhealthy));
    if (before) co_await before(request);
    recovers = false;
    co_await site.patchStatusMeanwhile<Machine>("m1", RemediationSite::healthCheck(true));
  };
  site.settle(11min);
  site.meanwhile = {};
  site.settle(1min);
  CHECK_FALSE(recovers);
  CHECK(site.ownerRemediated().empty());
  CHECK(site.host().metadata.annotations.contains(kUnhealthy) == isOperators);
  if (site.exists()) CHECK(site.it().metadata.annotations.empty());
  checkClean(site);
}

TEST_CASE("a machine is not handed over before its host is marked", "[remediation]") {
  RemediationSite site;
  restartTwice(site);
  site.kill();
  site.unreadable.add("baremetalhosts.metal3.io", {"metal", "h1"});
  site.removeByForce<BareMetalHost>("h1");
  site.start();
  site.settle(20min);
  CHECK(site.phase() == "Waiting");
  CHECK(site.ownerRemediated().empty());
  CHECK(site.told("Unreadable") >= 1);
}

namespace {

// The process ends before this write.
void dieAt(RemediationSite& site, const std::string& path) {
  bool isOver = false;
  site.instead = [&](const net::ServerRequest& request) -> std::optional<RemediationSite::Answer> {
    const bool isIt = request.method == "PATCH" && request.path().ends_with(path) &&
                      site.host().metadata.annotations.contains(kUnhealthy);
    if (!isIt) return std::nullopt;
    site.dead = isOver = true;
    return RemediationSite::Answer{};
  };
  site.settle(11min);
  REQUIRE(isOver);
  site.instead = {};
  site.kill();
}

// The host is marked, the machine was not asked to go.
void dieOnceMarked(RemediationSite& site) {
  dieAt(site, "/machines/m1/status");
  REQUIRE(site.ownerRemediated().empty());
}

}  // namespace

TEST_CASE("a hand-over that was cut off before the machine was asked leaves no mark", "[remediation]") {
  RemediationSite site;
  restartTwice(site);
  dieOnceMarked(site);
  site.start();
  site.settle();
  CHECK_FALSE(site.host().metadata.annotations.contains(kUnhealthy));
  CHECK(site.it().metadata.annotations.empty());
  SECTION("and is done in the end") {
    site.settle(11min);
    CHECK(site.phase() == "Deleting machine");
    CHECK(site.host().metadata.annotations.at(kUnhealthy) == "capm3/UnhealthyNode");
  }
  SECTION("and not at all once the health check has seen the machine well") {
    site.remove<Metal3Remediation>("m1");
    site.settle();
    CHECK_FALSE(site.exists());
    checkClean(site);
  }
}

TEST_CASE("a hand-over that was cut off after the machine was asked is done", "[remediation]") {
  RemediationSite site;
  restartTwice(site);
  dieAt(site, "/metal3remediations/m1/status");
  REQUIRE_FALSE(site.ownerRemediated().empty());
  REQUIRE(site.phase() == "Waiting");
  site.start();
  site.settle();
  CHECK(site.phase() == "Deleting machine");
  CHECK(site.host().metadata.annotations.at(kUnhealthy) == "capm3/UnhealthyNode");
  CHECK(site.it().metadata.annotations.empty());
}

TEST_CASE("a mark stays on the host of a machine that goes", "[remediation]") {
  RemediationSite site;
  restartTwice(site);
  dieOnceMarked(site);
  site.removeMachine();
  site.remove<Metal3Remediation>("m1");
  site.start();
  site.settle(1min);
  CHECK_FALSE(site.exists());
  CHECK(site.host().metadata.annotations.at(kUnhealthy) == "capm3/UnhealthyNode");
}

TEST_CASE("who writes remediations takes no mark off the host of another machine", "[remediation]") {
  RemediationSite site;
  BareMetalHost broken = site.host();
  broken.metadata = {.name = "broken", .namespace_ = "metal"};
  broken.metadata.annotations[kUnhealthy] = "capm3/UnhealthyNode";
  broken.spec.consumerRef.reset();
  site.create(broken);
  site.remediate([](Metal3Remediation& it) {
    it.metadata.finalizers = {"metal3remediation.infrastructure.cluster.x-k8s.io"};
    it.metadata.annotations["ingot.dev/marked-host"] = "broken";
  });
  site.remove<Metal3Remediation>("m1");
  site.settle();
  CHECK_FALSE(site.exists());
  CHECK(site.find<BareMetalHost>("broken")->metadata.annotations.contains(kUnhealthy));
}
