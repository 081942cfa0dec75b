// Live ISOs booted by agents, where somebody else has the machine meanwhile: an operator, Ironic with work of its own,
// or one that has forgotten or lost it (docs/decisions/0038).
#include "kube/core/secret.hpp"
#include "tests/coordinator/agents/live_iso_site.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

TEST_CASE("what somebody else has done to a machine that was not lent meanwhile is not taken for the agent's work") {
  LiveIsoSite site;
  site.beginUntil("/Insert");
  site.ironic.breakPower("metal~a", "the record stays behind");
  REQUIRE(site.until([&] { return site.count("\"On\"") > 0; }, 5min));
  site.pass(10s);
  REQUIRE(site.mark() == "lent");
  SECTION("an operator boots a rescue stick") {
    site.setMaintenance("hands");
    REQUIRE(site.fails("is in maintenance in Ironic (hands)"));
    site.machine().media.clear();
    site.pass(10min);
    site.ironic.breakPower("metal~a", "");
    site.setMaintenance("");
  }
  SECTION("Ironic has forgotten the node, and cleans a new one") {
    site.ironic.loseDatabase();
    site.machine().media.clear();
    site.machine().powerState = "Off";
  }
  REQUIRE(site.becomes("provisioned", 15min));
  CHECK(site.machine().media == live);
  CHECK(site.machine().powerState == "On");
}

TEST_CASE("a deletion ends where Ironic has given up the BMC of a host that its agent is to eject") {
  const bool isLent = GENERATE(false, true);
  LiveIsoSite site;
  site.run();
  site.machine().instead = [](const net::ServerRequest&) { return net::HttpResponse{.status = 0}; };
  if (isLent) {
    site.giveBack();
    REQUIRE(site.until([&] { return site.isLent(); }));
  }
  site.ironic.loseBmc("metal~a", "no route to host");
  site.node()["maintenance"] = true;
  site.node()["fault"] = "power failure";
  site.pass(5s);
  site.removeHost("a");
  REQUIRE(site.goes(1h));
  CHECK(site.eventMessages("metal", "DeprovisioningSkipped").size() == 1);
}

TEST_CASE("a deployment of Ironic's own that failed is torn down, whoever is asked for by then") {
  const bool isDeleted = GENERATE(false, true);
  LiveIsoSite site;
  site.beginUntil("/Insert");
  site.ironic.breakNext("metal~a", ironic::Verb::deploy, "no ramdisk came up");
  site.withdraw();
  REQUIRE(site.fails("no ramdisk came up", 10min));
  REQUIRE(site.mark() == "lent");
  site.ask();
  if (isDeleted) {
    site.removeHost("a");
    REQUIRE(site.goes(1h));
    CHECK(site.machine().media.empty());
  } else {
    REQUIRE(site.becomes("provisioned", 1h));
    CHECK(site.machine().media == live);
    CHECK(site.mark() == "booted");
  }
}

TEST_CASE("a cleaning that failed before an agent begins keeps neither it nor a deletion from going on") {
  const bool isDeleted = GENERATE(false, true);
  LiveIsoSite site;
  site.beginUntil("/Insert");
  site.ironic.breakNext("metal~a", ironic::Verb::deploy, "no ramdisk came up");
  site.withdraw();
  REQUIRE(site.until([&] { return site.nodeState() == ironic::State::deployFailed; }, 10min));
  site.ask();
  site.ironic.breakNext("metal~a", ironic::Verb::provide, "no cleaning");
  REQUIRE(site.until([&] { return site.nodeState() == ironic::State::cleanFailed; }, 10min));
  if (isDeleted) {
    site.removeHost("a");
    REQUIRE(site.goes(1h));
    CHECK(site.machine().media.empty());
  } else {
    REQUIRE(site.becomes("provisioned", 1h));
    CHECK(site.machine().media == live);
  }
}

TEST_CASE("a host whose node Ironic has forgotten is still its agent's: to eject, and to boot again") {
  LiveIsoSite site;
  site.run();
  SECTION("it is given back without a cleaning") {
    site.giveBack();
    REQUIRE(site.until([&] { return site.isLent(); }));
    site.killCoordinator();  // it would go on for a moment with what it has read
    site.ironic.loseDatabase();
    site.startCoordinator();
    REQUIRE(site.becomes("available", 15min));
    CHECK(site.machine().media.empty());
    CHECK(site.machine().powerState == "Off");
    CHECK(site.mark().empty());
  }
  SECTION("it is given back in the middle of a boot") {
    site.giveBack();
    REQUIRE(site.becomes("available"));
    site.forgetJournals();
    site.provision();
    REQUIRE(site.until([&] { return site.count("/Insert") > 0; }, 5min));
    site.giveBack();
    site.ironic.loseDatabase();
    REQUIRE(site.becomes("available", 15min));
    CHECK(site.machine().media.empty());
    CHECK(site.machine().powerState == "Off");
  }
  SECTION("it runs on") {
    const bool isDetached = GENERATE(false, true);
    if (isDetached) {
      site.patchHost("a", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/detached":""}}})");
      REQUIRE(site.until([&] { return !site.ironic.has("metal~a"); }));
      site.patchHost("a", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/detached":null}}})");
    } else {
      site.ironic.loseDatabase();
    }
    REQUIRE(site.until([&] { return site.ironic.has("metal~a") && site.nodeState() == ironic::State::active; }));
    CHECK(site.mark() == "booted");
    site.pass(1min);
    site.setOnline("a", false);
    REQUIRE(site.until([&] { return site.machine().powerState == "Off"; }));
    site.pass(1min);
    site.machine().media.clear();
    site.machine().bootEnabled = "Disabled";
    site.setOnline("a", true);
    CHECK(site.mediaAtPowerOn() == live);
  }
}

TEST_CASE("a lent node that Ironic does not let go of is told of, and keeps no deletion") {
  const bool hasTarget = GENERATE(false, true);
  const bool isDeleted = GENERATE(false, true);
  LiveIsoSite site;
  site.rest();
  site.provision();
  REQUIRE(site.until([&] { return site.isLent(); }));
  site.node()[hasTarget ? "target_power_state" : "reservation"] = hasTarget ? "power on" : "other";
  REQUIRE(site.fails(hasTarget ? "on its way to \"power on\"" : "conductor other holds it", 5min));
  if (!isDeleted) {
    site.node()[hasTarget ? "target_power_state" : "reservation"] = nullptr;
    REQUIRE(site.becomes("provisioned"));
    return;
  }
  site.removeHost("a");
  REQUIRE(site.until([&] { return site.eventMessages("metal", "DeprovisioningSkipped").size() == 1; }, 1h));
}

TEST_CASE("a URL with what Ironic takes for a password in it is booted once, by whoever boots it") {
  const auto by = GENERATE(as<std::string>(), "agent", "");
  const std::string url = "http://images/x.iso?image_token=a&z=1";
  LiveIsoSite site(by);
  site.rest();
  site.provision(url);
  REQUIRE(site.becomes("provisioned"));
  CHECK(json::textAt(site.node(), {"instance_info", "boot_iso"}) == url);
  const auto patches =
      std::ranges::count_if(site.ironic.journal(), [](const auto& request) { return request.method == "PATCH"; });
  CHECK(patches <= 5);
  CHECK(site.eventMessages("metal", "ProvisioningStarted").size() == 1);
  if (by.empty()) return;
  CHECK(site.machine().media == url);
  site.pass(10s);
  site.machine().media.clear();
  site.patchHost("a", R"({"metadata":{"annotations":{"reboot.metal3.io":"{\"mode\":\"hard\"}"}}})");
  REQUIRE(site.until([&] { return site.machine().powerState == "Off"; }));
  CHECK(site.mediaAtPowerOn() == url);
}

TEST_CASE("a deletion without credentials says that these keep its agent from it") {
  LiveIsoSite site;
  site.run();
  site.loop.run(site.user().patch<kube::Secret>({"metal", "a-bmc"}, json::parse(R"({"data":null})").get_object()));
  site.removeHost("a");
  CHECK(site.fails("the credentials of its BMC (Secret a-bmc) cannot be used"));
  CHECK(site.host("a")->status.errorMessage.find("without the annotation Ironic does it") != std::string::npos);
  site.pass(15min);
  CHECK(site.machine().media == live);
  site.withdraw();
  REQUIRE(site.goes(1h));
  CHECK(site.machine().media.empty());
}
