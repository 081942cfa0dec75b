// What changes between the look at the caches and the write: a host is not cut, and a Node not touched, on what was
// true before (spec/capm3.md §18.2).
#include "tests/coordinator/remediation/clean.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;

namespace {

const std::string kHost = "/baremetalhosts/h1", kRemediation = "/metal3remediations/m1";
constexpr const char* kOtherName = R"({"spec":{"consumerRef":{"name":"m2"}}})";

bool isRead(const net::ServerRequest& request, const std::string& path) {
  return request.method == "GET" && request.path().ends_with(path);
}

bool isWritten(const RemediationSite& site, const std::string& path) {
  return std::ranges::any_of(site.writes, [&](const std::string& line) { return line.ends_with(path); });
}

}  // namespace

TEST_CASE("a Node is left alone when the last look shows its host as on, or as another's", "[remediation]") {
  RemediationSite site(GENERATE("27", "28"));
  const bool isOn = GENERATE(true, false);
  site.remediate();
  REQUIRE(site.isHeldOff());
  bool changed = false;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (!isRead(request, kHost) || std::exchange(changed, true)) co_return;
    if (isOn)
      co_await site.patchStatusMeanwhile<BareMetalHost>("h1", R"({"status":{"poweredOn":true}})");
    else
      co_await site.patchMeanwhile<BareMetalHost>("h1", R"({"spec":{"consumerRef":{"name":"other"}}})");
  };
  site.power(false);
  site.settle(500ms);
  REQUIRE(changed);
  REQUIRE(site.node());
  CHECK_FALSE(site.isTainted());
}

TEST_CASE("a Node that has come in place of the one to be deleted stays", "[remediation]") {
  RemediationSite site("27");
  site.remediate();
  site.workload.heldWrite = "/nodes/n1";
  site.workload.heldFor = 5s;
  site.obey();
  REQUIRE(site.workload.writes == std::vector<std::string>{"DELETE /api/v1/nodes/n1"});
  site.workload.remove<kube::Node>({"", "n1"});
  kube::Node other;
  other.metadata.name = "n1";
  other.spec.providerId = "metal3://metal/h2/m2";
  site.workload.create(other);
  site.settle(1min);
  CHECK(site.node());
  CHECK(site.told("NodeDeleted") == 0);
  CHECK(site.phase() == "Waiting");
}

TEST_CASE("a host that is paused, or its machine's again, right before is not set free as a stray", "[remediation]") {
  RemediationSite site;
  site.remediate();
  REQUIRE(site.isHeldOff());
  const char* const again = GENERATE(R"({"spec":{"consumerRef":{"name":"m1"}}})",
                                     R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":""}}})");
  bool changed = false;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (!isRead(request, kHost) || std::exchange(changed, true)) co_return;
    co_await site.patchMeanwhile<BareMetalHost>("h1", again);
    site.writes.clear();
  };
  site.patch<BareMetalHost>("h1", kOtherName);
  site.settle();
  REQUIRE(changed);
  CHECK_FALSE(isWritten(site, kHost));
  CHECK(site.isHeldOff());
}

TEST_CASE("a host that is another machine's by the time its own is handed over gets no mark", "[remediation]") {
  RemediationSite site;
  site.remediate();
  site.obeys = false;
  site.settle(11min);
  REQUIRE(site.it().status.retryCount == 1);
  site.writes.clear();
  bool changed = false;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    const bool isRecorded = isWritten(site, kRemediation);  // which host is to be marked
    if (!isRecorded || !isRead(request, kHost) || std::exchange(changed, true)) co_return;
    co_await site.patchMeanwhile<BareMetalHost>("h1", kOtherName);
  };
  site.settle(10min);
  REQUIRE(changed);
  CHECK(site.phase() == "Deleting machine");
  CHECK_FALSE(site.host().metadata.annotations.contains("capm3.metal3.io/unhealthy"));
  CHECK_FALSE(isHeldByAnybody(site.host()));
}

TEST_CASE("§18.2 (2) a host is cut hard", "[remediation]") {
  RemediationSite site;
  site.remediate();
  CHECK(site.host().metadata.annotations.at("reboot.metal3.io/metal3-remediation-" + site.it().metadata.uid) ==
        R"({"mode":"hard","force":false})");
}

TEST_CASE("a host is not cut for a remediation that has changed right before", "[remediation]") {
  RemediationSite site;
  site.workload.reachable = false;  // it begins, and waits for the Node
  site.remediate();
  site.settle(1min);
  REQUIRE(site.phase() == "Running");
  const std::string patch =
      GENERATE(R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})", R"({"spec":{"strategy":null}})", "");
  bool changed = false;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (!isRead(request, kRemediation) || std::exchange(changed, true)) co_return;
    if (patch.empty())
      co_await site.removeMeanwhile<Metal3Remediation>("m1");
    else
      co_await site.patchMeanwhile<Metal3Remediation>("m1", patch);
  };
  site.writes.clear();
  site.workload.reachable = true;
  site.settle(2min);
  REQUIRE(changed);
  CHECK_FALSE(isWritten(site, kHost));
}

TEST_CASE("a host that is being deployed, or switched off by hand, right before is not cut", "[remediation]") {
  RemediationSite site;
  const bool isOff = GENERATE(true, false);
  bool changed = false;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (!isRead(request, kHost) || std::exchange(changed, true)) co_return;
    if (isOff)
      co_await site.patchMeanwhile<BareMetalHost>("h1", R"({"spec":{"online":false}})");
    else
      co_await site.patchStatusMeanwhile<BareMetalHost>("h1",
                                                        R"({"status":{"provisioning":{"state":"provisioning"}}})");
  };
  site.remediate();
  site.settle(1min);
  REQUIRE(changed);
  CHECK_FALSE(isWritten(site, kHost));
}

TEST_CASE("a Node that cannot be decoded is not taken for absent: its host is not cut", "[remediation]") {
  RemediationSite site;
  site.kill();
  CHECK_THROWS_AS(site.workload.patch<kube::Node>({"", "n1"}, R"({"spec":{"taints":"none"}})"), json::DecodeError);
  site.start();
  site.settle();
  site.remediate();
  site.settle(1min);
  CHECK_FALSE(site.isHeldOff());
  CHECK(site.told("NodeUnknown") == 1);
}

TEST_CASE("a hold stays while its remediation cannot be read", "[remediation]") {
  RemediationSite site;
  site.remediate();
  REQUIRE(site.isHeldOff());
  site.kill();
  site.removeByForce<Metal3Remediation>("m1");  // the API lists none that it cannot read
  site.unreadable.add("metal3remediations.infrastructure.cluster.x-k8s.io", {"metal", "m1"});
  site.start();
  site.settle(1min);
  CHECK(isHeldByAnybody(site.host()));
}

TEST_CASE("a host is set free as soon as its remediation or its machine is gone", "[remediation]") {
  RemediationSite site;
  site.remediate();
  REQUIRE(site.isHeldOff());
  site.patch<Metal3Remediation>("m1", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})");
  site.settle();
  SECTION("the remediation, by force") { site.removeByForce<Metal3Remediation>("m1"); }
  SECTION("the Metal3Machine") { site.remove<Metal3Machine>("m1"); }
  site.settle();
  CHECK_FALSE(isHeldByAnybody(site.host()));
}

TEST_CASE("a host whose power nobody can read any more is not waited for for ever", "[remediation]") {
  RemediationSite site;
  site.remediate();
  site.power(false, "Unknown");
  site.settle(22min);
  CHECK(site.it().status.retryCount == 1);
  site.settle(22min);
  CHECK(site.phase() == "Deleting machine");
}

TEST_CASE("the second attempt, too, has the time that the proof of off takes", "[remediation]") {
  RemediationSite site;
  site.remediate();
  site.obey();
  site.obeys = false;  // it stays off: nothing but time proves that
  site.settle(10min);
  REQUIRE(site.it().status.retryCount == 1);
  site.settle(10min + 15s);
  CHECK(site.phase() != "Deleting machine");
  CHECK(site.ownerRemediated().empty());
}
