// A wish that is taken back while the coordinator waits for Ironic, between its decision and the command.
#include "tests/coordinator/agents/resting_host.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

// "a" is on and wanted so, and the next look at its node, the one before a command, takes ten seconds.
int runningHost(Site& site) {
  restingHost(site);
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return site.settled("a") && site.host("a")->status.poweredOn; }));
  site.pass(30s);
  site.ironic.failNext("GET", "/nodes/", {.kind = FakeFault::Kind::hang, .delay = 10s});
  return site.resets("10.0.0.1");
}

constexpr auto rebootWish = R"({"metadata":{"annotations":{"reboot.metal3.io/me":"{\"mode\":\"hard\"}"}}})";
constexpr auto noRebootWish = R"({"metadata":{"annotations":{"reboot.metal3.io/me":null}}})";

}  // namespace

TEST_CASE("a power-off that is taken back while Ironic is asked is not sent") {
  Site site;
  const int resets = runningHost(site);
  SECTION("spec.online") {
    site.setOnline("a", false);
    site.pass(5s);
    CHECK(site.resets("10.0.0.1") == resets);
    site.setOnline("a", true);
  }
  SECTION("a reboot annotation") {
    site.patchHost("a", rebootWish);
    site.pass(5s);
    CHECK(site.resets("10.0.0.1") == resets);
    site.patchHost("a", noRebootWish);
  }
  SECTION("the host is paused") {
    site.setOnline("a", false);
    site.pass(5s);
    site.patchHost("a", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":""}}})");
  }
  SECTION("the host is moved by clusterctl") {
    site.setOnline("a", false);
    site.pass(5s);
    site.patchHost("a", R"({"metadata":{"annotations":{"clusterctl.cluster.x-k8s.io/delete-for-move":""}}})");
  }
  site.pass(1min);
  CHECK(site.resets("10.0.0.1") == resets);
  CHECK(site.bmc("10.0.0.1").powerState == "On");
}

TEST_CASE("a power-off is sent although something else of the host has changed meanwhile") {
  Site site;
  const int resets = runningHost(site);
  site.setOnline("a", false);
  site.pass(5s);
  CHECK(site.resets("10.0.0.1") == resets);
  site.patchHost("a", R"({"metadata":{"labels":{"rack":"r1"},"annotations":{"note":"r1"}}})");
  site.pass(6s);
  CHECK(site.resets("10.0.0.1") > resets);
  CHECK(site.until([&] { return site.settled("a"); }, 1min));
  CHECK(site.bmc("10.0.0.1").powerState == "Off");
}

TEST_CASE("another wish that comes while Ironic is asked is carried out at once") {
  Site site;
  const int resets = runningHost(site);
  site.setOnline("a", false);
  site.pass(5s);
  site.patchHost("a", R"({"spec":{"description":"r1"}})");  // the same wish, in another version of the object
  site.pass(8s);
  CHECK(site.resets("10.0.0.1") > resets);
  CHECK(site.bmc("10.0.0.1").powerState == "Off");
}
