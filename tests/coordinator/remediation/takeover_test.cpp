// Remediations that Metal3 has begun, with --watch-filter (spec/capm3.md §6.3, §18): Metal3 leaves them without the
// label, and whoever goes on with one stays responsible for it, whatever becomes of its machine.
#include "tests/coordinator/remediation/clean.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;

namespace {

const std::string kFinalizer = "metal3remediation.infrastructure.cluster.x-k8s.io";
const std::string kWatchFilter = "cluster.x-k8s.io/watch-filter";

struct Left {
  std::string phase;
  std::vector<std::string> finalizers = {};
  std::map<std::string, std::string> annotations = {};
  bool isLast = false;  // of two attempts
};

// As Metal3 leaves it in the middle of an attempt; the label is the Metal3Machine's alone.
void takeOver(RemediationSite& site, const Left& left) {
  site.kill();
  site.watchFilter = "mine";
  site.patch<Metal3Machine>("m1", R"({"metadata":{"labels":{"cluster.x-k8s.io/watch-filter":"mine"}}})");
  site.remediate([&](Metal3Remediation& it) {
    it.metadata.finalizers = left.finalizers;
    it.metadata.annotations = left.annotations;
  });
  site.patchStatus<Metal3Remediation>(
      "m1", fmt::format(R"({{"status":{{"phase":"{}","lastRemediated":"2026-01-01T00:00:00Z"{}}}}})", left.phase,
                        left.isLast ? R"(,"retryCount":1)" : ""));
  site.start();
  site.settle();
}

bool isLabelled(RemediationSite& site) {
  const auto it = site.it();
  const std::string* label = it.metadata.label(kWatchFilter);
  return label != nullptr && *label == "mine";
}

// By force, or while no coordinator runs.
void loseMachine(RemediationSite& site) {
  site.kill();
  site.removeByForce<Metal3Machine>("m1");
  site.removeByForce<Machine>("m1");
  site.start();
  site.settle();
}

}  // namespace

TEST_CASE("§18 a remediation that Metal3 has begun is ours to end once we went on with it", "[remediation]") {
  RemediationSite site;
  SECTION("off, before the finalizer") { takeOver(site, {.phase = "Running"}); }
  SECTION("off") { takeOver(site, {.phase = "Running", .finalizers = {kFinalizer}}); }
  SECTION("on again, without its Node") {
    site.workload.remove<kube::Node>({"", "n1"});
    takeOver(site, {.phase = "Waiting",
                    .finalizers = {kFinalizer},
                    .annotations = {{"remediation.metal3.io/node-labels-backup", R"({"a":"b"})"}}});
  }
  SECTION("in its deletion") {
    site.workload.reachable = false;
    takeOver(site, {.phase = "Running", .finalizers = {kFinalizer}});
    site.remove<Metal3Remediation>("m1");
    site.settle();
  }
  SECTION("in its next attempt") {
    takeOver(site, {.phase = "Waiting"});
    site.settle(11min);
    REQUIRE(site.it().status.retryCount == 1);
  }
  REQUIRE(site.hasFinalizer());
  CHECK(isLabelled(site));
  loseMachine(site);
  CHECK_FALSE(site.exists());
  CHECK_FALSE(isHeldByAnybody(site.host()));
}

TEST_CASE("§18.3 a hand-over that Metal3 has left to us and that is cut off is ours to end", "[remediation]") {
  RemediationSite site;
  takeOver(site, {.phase = "Waiting", .isLast = true});
  site.instead = [&](const net::ServerRequest& request) -> std::optional<RemediationSite::Answer> {
    if (request.method != "PATCH" || !request.path().ends_with("/machines/m1/status")) return std::nullopt;
    site.dead = true;
    return RemediationSite::Answer{};
  };
  site.settle(11min);
  REQUIRE(site.dead);
  site.instead = {};
  REQUIRE(site.hasFinalizer());
  CHECK(isLabelled(site));
  loseMachine(site);
  CHECK_FALSE(site.exists());
}

TEST_CASE("§18 a label that cannot be written yet is written before anything else", "[remediation]") {
  RemediationSite site;
  site.forbidden = "/metal3remediations/m1";
  takeOver(site, {.phase = "Running", .finalizers = {kFinalizer}});
  CHECK_FALSE(site.isHeldOff());
  site.forbidden.clear();
  site.settle(1min);
  CHECK(isLabelled(site));
  CHECK(site.isHeldOff());
}

TEST_CASE("§18 what has no label and no machine any more is ended by whoever finds it", "[remediation]") {
  RemediationSite site;
  site.remediate();
  REQUIRE(site.isHeldOff());
  REQUIRE(site.hasFinalizer());
  site.kill();
  site.watchFilter = "mine";  // from now on
  const char* const others =
      R"({"metadata":{"labels":{"cluster.x-k8s.io/watch-filter":"other"},"finalizers":["a/b"]}})";
  SECTION("gone with its machine") { loseMachine(site); }
  SECTION("and with the one whose label is another's, not before") {
    site.patch<Metal3Machine>("m1", others);
    site.removeByForce<Machine>("m1");
    site.start();
    site.settle(10min);
    REQUIRE(site.find<Metal3Machine>("m1"));
    CHECK(site.exists());
    CHECK_FALSE(isLabelled(site));
    site.removeByForce<Metal3Machine>("m1");
  }
  SECTION("not while its Machine is there") {
    site.removeByForce<Metal3Machine>("m1");
    site.remove<Metal3Remediation>("m1");
    site.start();
    site.settle(10min);
    CHECK(site.exists());
    CHECK_FALSE(isLabelled(site));
    site.removeByForce<Machine>("m1");
  }
  site.settle(1min);
  CHECK_FALSE(site.exists());
  CHECK_FALSE(isHeldByAnybody(site.host()));
}
