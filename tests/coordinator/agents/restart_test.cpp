// The restart of a host that must not be off: done once, whatever is lost between the BMC and the annotation.
#include "tests/coordinator/agents/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using tests::Site;

namespace {

constexpr auto reboot = "reboot.metal3.io";

struct Restarted : Site {
  Restarted() {
    serveAll("near");
    addHost("a", "10.0.0.1", true);
    REQUIRE(until([this] { return settled("a"); }));
    patchHost("a", R"({"spec":{"disablePowerOff":true}})");
    pass(10s);
    before = resets("10.0.0.1");
    network.beforeRequest = [this](const net::ClientOptions&, const net::HttpRequest& request) {
      const bool takesItOff =
          request.method == "PATCH" && request.body.find(R"("reboot.metal3.io":null)") != std::string::npos;
      if (!takesItOff || !savesFail) return;
      ++failedSaves;
      throw net::HttpError(net::HttpError::Code::reset, "the API is away");
    };
  }
  ~Restarted() { network.beforeRequest = {}; }

  // Before it is provisioned a host is rebooted only by force.
  void ask() { patchHost("a", R"({"metadata":{"annotations":{"reboot.metal3.io":"{\"force\":true}"}}})"); }
  bool asked() { return host("a")->metadata.annotations.contains(reboot); }
  int restarts() { return resets("10.0.0.1") - before; }

  int before = 0, failedSaves = 0;
  bool savesFail = false;
};

}  // namespace

TEST_CASE("a restart whose request could not be taken off is not done again") {
  Restarted site;
  site.savesFail = true;
  site.ask();
  REQUIRE(site.until([&] { return site.failedSaves >= 2; }, 5min));
  CHECK(site.restarts() == 1);
  SECTION("the API comes back") {}
  SECTION("the coordinator dies before it has saved: the agent remembers") {
    site.killCoordinator();
    site.pass(2s);
    site.startCoordinator();
  }
  SECTION("both die") {
    site.killCoordinator();
    site.killAgent("near");
    site.pass(2s);
    site.startAgent("near");
    site.startCoordinator();
  }
  SECTION("it read as off for a moment, and that was saved before the coordinator died") {
    site.bmc("10.0.0.1").powerState = "Off";
    REQUIRE(site.until([&] { return !site.host("a")->status.poweredOn; }, 5min));
    site.killCoordinator();
    site.bmc("10.0.0.1").powerState = "On";
    site.pass(2s);
    site.startCoordinator();
  }
  SECTION("the host is detached before it is saved, and attached again") {
    site.patchHost("a", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/detached":""}}})");
    site.pass(30s);
    site.patchHost("a", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/detached":null}}})");
  }
  site.savesFail = false;
  REQUIRE(site.until([&] { return !site.asked(); }, 5min));
  site.pass(2min);
  CHECK(site.restarts() == 1);
  CHECK(site.broken.empty());

  site.ask();  // what is remembered of the first says nothing of the second
  REQUIRE(site.until([&] { return !site.asked(); }, 5min));
  site.pass(2min);
  CHECK(site.restarts() == 2);
}

TEST_CASE("a restart that one agent did is not done again by the next, to which the host goes") {
  Restarted site;
  site.startAgent("far");
  site.approve("far", R"({"networks":["192.168.0.0/16"]})");
  site.savesFail = true;
  site.ask();
  REQUIRE(site.until([&] { return site.failedSaves >= 2; }, 5min));
  REQUIRE(site.restarts() == 1);
  const auto reroute = [&] { site.patchHost("a", R"({"metadata":{"annotations":{"ingot.dev/agent":"far"}}})"); };
  SECTION("while the coordinator lives") { reroute(); }
  SECTION("while none lives") {
    site.killCoordinator();
    reroute();
    site.pass(2s);
    site.startCoordinator();
  }
  site.pass(30s);
  site.savesFail = false;
  REQUIRE(site.until([&] { return !site.asked(); }, 5min));
  site.pass(2min);
  CHECK(site.restarts() == 1);
}

TEST_CASE("a host that must not be off is not restarted for ever in place of being held off") {
  Restarted site;
  site.patchHost("a", R"({"metadata":{"annotations":{"reboot.metal3.io/fence":"{\"force\":true}"}}})");
  REQUIRE(site.until([&] { return site.host("a")->status.errorType == "power management error"; }, 2min));
  CHECK_THAT(site.host("a")->status.errorMessage, Catch::Contains("disablePowerOff"));
  site.pass(10min);
  CHECK(site.restarts() == 0);
  CHECK(site.host("a")->status.poweredOn);
}
