// spec/capm3.md §18.2, §18.3, §18.5: writes to the Node that are refused, get no answer, or are made from what is known
// of a Node that has changed since.
#include "tests/coordinator/remediation/clean.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;

namespace {

constexpr const char* kLeavingPod = R"([{"metadata":{"name":"a","deletionTimestamp":"2026-01-01T00:00:00Z"}}])";
const std::string kNode = "/api/v1/nodes/n1";

void shortAttempt(Metal3Remediation& it) {
  it.spec.strategy->timeoutSeconds = 100;
  it.spec.strategy->retryLimit = 1;
}

std::string messageOf(RemediationSite& site, const std::string& reason) {
  for (const auto& event : site.all<kube::Event>())
    if (event.reason == reason) return event.message;
  return "";
}

}  // namespace

TEST_CASE("§18.5 a taint that the watch of the Nodes does not show is taken off, however a remediation ends",
          "[remediation][nodes]") {
  const bool goesOn = GENERATE(true, false);  // the watch, or it is given up
  RemediationSite site;
  site.remediate(shortAttempt);
  site.patchStatus<Metal3Remediation>("m1", R"({"status":{"retryCount":1}})");
  site.workload.holdNews();
  site.pods = kLeavingPod;
  site.obey();
  REQUIRE(site.isTainted());
  SECTION("deleted") { site.remove<Metal3Remediation>("m1"); }
  SECTION("without a strategy") { site.patch<Metal3Remediation>("m1", R"({"spec":{"strategy":null}})"); }
  SECTION("with its host switched off by hand") { site.patch<BareMetalHost>("h1", R"({"spec":{"online":false}})"); }
  SECTION("handed over") {
    site.settle(100s);
    REQUIRE(site.phase() == "Deleting machine");
  }
  site.settle(30s);
  CHECK(site.hasFinalizer());
  if (goesOn)
    site.workload.letNewsGo();
  else
    site.settle(6min);
  site.settle(30s);
  CHECK((!site.exists() || !site.hasFinalizer()));
  checkClean(site);
}

TEST_CASE("a Node that has changed since its watch told of it is waited for, and that is told",
          "[remediation][nodes]") {
  RemediationSite site;
  site.remediate();
  site.workload.holdNews();
  site.pods = kLeavingPod;
  SECTION("by its own taint") {}
  SECTION("by somebody else") { site.workload.patch<kube::Node>({"", "n1"}, R"({"metadata":{"labels":{"x":"1"}}})"); }
  site.obey();
  CHECK(site.told("WaitingForNodeWatch") == 0);
  site.settle(1min);
  CHECK(site.told("WaitingForNodeWatch") == 1);
  CHECK(messageOf(site, "WaitingForNodeWatch") ==
        "Node n1 was changed: waiting until the watch of the Nodes tells how");
  CHECK(site.told("ApiFails") == 0);
  CHECK(site.workload.writes.size() <= 25);
  site.workload.letNewsGo();
  site.settle(10s);
  CHECK(site.isTainted());
  site.pods = "[]";
  site.settle(10s);
  CHECK(site.phase() == "Waiting");
}

TEST_CASE("a Node that is out of service only as its watch knows it is put out of service again",
          "[remediation][nodes]") {
  RemediationSite site;
  site.remediate(shortAttempt);
  site.pods = kLeavingPod;
  site.obey();
  REQUIRE(site.isTainted());
  site.workload.holdNews();
  site.pods = "[]";
  site.settle(10s);
  site.obey();
  REQUIRE_FALSE(site.isTainted());
  REQUIRE_FALSE(site.hasFinalizer());
  site.settle(90s);
  REQUIRE(site.it().status.retryCount == 1);
  site.obey();
  site.settle(10s);
  CHECK(site.phase() == "Running");
  site.pods = kLeavingPod;
  site.workload.letNewsGo();
  site.settle(10s);
  CHECK(site.isTainted());
  CHECK(site.phase() == "Running");
}

TEST_CASE("a write to the Node that is carried out long after it was given up is undone", "[remediation][nodes]") {
  const std::string version = GENERATE("28", "27");
  const bool isSameProcess = GENERATE(true, false);
  const bool isCarriedOut = GENERATE(true, false);
  CAPTURE(version, isSameProcess, isCarriedOut);
  RemediationSite site(version);
  site.remediate();
  site.workload.lostWrite = kNode;
  site.refusal = {.status = 503, .path = kNode};  // what comes after it
  site.obey();
  REQUIRE(site.workload.lostWrite.empty());
  site.remove<Metal3Remediation>("m1");
  if (!isSameProcess) site.kill();
  site.refusal.reset();
  if (!isSameProcess) site.start();
  site.settle(30s);
  CHECK_FALSE(isHeldByAnybody(site.host()));
  CHECK(site.exists());
  CHECK(messageOf(site, "WaitingForLostWrite") == "A write to Node n1 whose answer was lost may still be carried out");
  if (isCarriedOut) {
    const auto before = site.node().value().metadata.resourceVersion;
    site.workload.carryOutLate();
    REQUIRE((!site.node() || site.node()->metadata.resourceVersion != before));
    site.settle();
    if (!site.node()) site.join();
  }
  site.settle(1min);
  CHECK_FALSE(site.exists());
  REQUIRE(site.node());
  checkClean(site);
}

TEST_CASE("an API that fails what an attempt needs is told of on the remediation, after a minute, until it works",
          "[remediation][nodes]") {
  const auto isHost = GENERATE(false, true);
  const std::string version = GENERATE("28", "27");
  RemediationSite site(version);
  bool isOver = false;
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    const bool isIt = isHost && !isOver && request.method == "PATCH" && request.path().ends_with("/baremetalhosts/h1");
    return isIt ? std::optional(ApiSite::Answer{.status = 500}) : std::nullopt;
  };
  if (!isHost) site.refusal = {.status = 500, .path = kNode};
  site.remediate();
  site.obey();
  site.settle(40s);
  CHECK(site.told("ApiFails") == 0);
  site.settle(3min);
  CHECK(site.told("ApiFails") == 1);
  CHECK_THAT(messageOf(site, "ApiFails"), Catch::StartsWith("the API fails: "));
  site.settle(2min);
  CHECK(site.told("ApiFails") == 1);
  CHECK(site.phase() == "Running");
  isOver = true;
  site.refusal.reset();
  site.settle(70s);
  site.obey();
  site.settle(30s);
  CHECK(site.phase() == "Waiting");
}

TEST_CASE("a Node that may not be fenced is told of at once, and fenced as soon as it may be", "[remediation][nodes]") {
  const std::string version = GENERATE("28", "27");
  const int status = GENERATE(403, 422);
  RemediationSite site(version);
  site.remediate();
  site.refusal = {.status = status, .path = kNode};
  site.obey();
  CHECK(site.told("Refused") == 1);
  site.settle(3min);
  CHECK(site.told("Refused") == 1);
  CHECK(site.told("ApiFails") == 0);
  CHECK(site.isHeldOff());
  REQUIRE(site.node());
  CHECK_FALSE(site.isTainted());
  site.refusal.reset();
  site.settle(90s);
  CHECK(site.phase() == "Waiting");
}
