// From a manifest to a provisioned server and back, through a simulated Ironic.
#include "tests/scenario/site.hpp"

#include "api/bmh/baremetalhost.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;

constexpr auto image = "http://images/a.raw";

TEST_CASE("hosts of each kind of BMC are provisioned, deprovisioned and deleted", "[scenario]") {
  for (const std::string address : {"redfish://10.0.0.1/redfish/v1/Systems/1",
                                    "redfish-virtualmedia://10.0.0.2/redfish/v1/Systems/1", "ipmi://10.0.0.3"}) {
    INFO(address);
    Site site;
    site.createHost("a", address, image);
    REQUIRE(site.reaches("a", "provisioned"));
    CHECK(site.host("a")->status.poweredOn);
    CHECK(site.host("a")->status.hardware);
    site.patchHost("a", R"({"spec":{"image":null}})");
    REQUIRE(site.reaches("a", "available"));
    site.removeHost("a");
    REQUIRE(site.reaches("a", "gone"));
    CHECK(site.ironic.nodeCount() == 0);
  }
}

TEST_CASE("a host that is switched off goes off, and on again", "[scenario]") {
  Site site;
  site.createHost("a", redfish, image);
  REQUIRE(site.reaches("a", "provisioned"));
  site.patchHost("a", R"({"spec":{"online":false}})");
  site.loop.clock.advance(2min);
  CHECK_FALSE(site.host("a")->status.poweredOn);
  CHECK_FALSE(site.ironic.machineOn("default~a"));
  site.patchHost("a", R"({"spec":{"online":true}})");
  site.loop.clock.advance(2min);
  CHECK(site.host("a")->status.poweredOn);
  CHECK(site.ironic.machineOn("default~a"));
}

TEST_CASE("a coordinator that is stopped and started all the way ends in the same place", "[scenario][crash]") {
  for (const base::Duration life : {3s, 7s, 11s}) {
    INFO("lives of " << life / 1s << " s");
    Site site;
    site.createHost("a", redfish, image);
    for (int lives = 0; lives < 60 && site.state("a") != "provisioned"; ++lives) {
      site.loop.clock.advance(life);
      site.restart();
    }
    REQUIRE(site.reaches("a", "provisioned"));
    CHECK(site.verbCount("active") == 1);
    CHECK(site.ironic.nodeCount() == 1);
  }
}

TEST_CASE("an Ironic that forgot everything takes our hosts back without touching their disks", "[scenario]") {
  Site site;
  site.createHost("a", redfish, image);
  REQUIRE(site.reaches("a", "provisioned"));
  site.ironic.loseDatabase();
  site.ironic.clearJournal();
  site.loop.clock.advance(10min);
  CHECK(site.state("a") == "provisioned");
  REQUIRE(site.ironic.has("default~a"));
  CHECK(site.ironic.state("default~a") == ironic::State::active);
  CHECK(site.verbCount("active") == 0);
  CHECK(site.verbCount("adopt") == 1);
  CHECK(site.host("a")->status.operationalStatus == "OK");
}

TEST_CASE("a host that somebody else provisioned is adopted, switched, and deleted without touching its disk",
          "[scenario]") {
  Site site;
  site.createHost("a", redfish);
  REQUIRE(site.reaches("a", "available"));
  site.patchHost("a", R"({"spec":{"externallyProvisioned":true}})");
  REQUIRE(site.reaches("a", "externally provisioned"));
  site.ironic.loseDatabase();  // as when it comes from another installation
  site.ironic.clearJournal();
  site.loop.clock.advance(10min);
  REQUIRE(site.ironic.has("default~a"));
  CHECK(site.ironic.state("default~a") == ironic::State::active);
  CHECK(site.verbCount("adopt") == 1);
  CHECK(site.host("a")->status.operationalStatus == "OK");
  CHECK(site.host("a")->status.poweredOn);

  site.patchHost("a", R"({"spec":{"online":false}})");
  site.loop.clock.advance(5min);
  CHECK_FALSE(site.host("a")->status.poweredOn);
  CHECK_FALSE(site.ironic.machineOn("default~a"));
  site.removeHost("a");
  CHECK(site.reaches("a", "gone", 5min));
  for (const auto* verb : {"active", "deleted", "inspect", "clean", "provide"}) CHECK(site.verbCount(verb) == 0);
}

TEST_CASE("an Ironic that stumbles delays a host, nothing more", "[scenario][faults]") {
  const FakeFault faults[] = {{.status = 500},
                              {.status = 409, .text = "Node is locked by host conductor, please retry"},
                              {.kind = FakeFault::Kind::refused},
                              {.kind = FakeFault::Kind::lostAnswer}};
  for (const FakeFault& fault : faults) {
    for (const std::string method : {"POST", "PUT", "PATCH", "GET"}) {
      INFO(method << " fails as " << static_cast<int>(fault.kind) << "/" << fault.status);
      Site site;
      site.ironic.failNext(method, "/v1/", fault, 3);
      site.createHost("a", redfish, image);
      REQUIRE(site.reaches("a", "provisioned"));
      CHECK(site.verbCount("active") == 1);
      CHECK(site.ironic.nodeCount() == 1);
    }
  }
}

TEST_CASE("a deployment that fails is cleaned up and tried again", "[scenario][faults]") {
  Site site;
  site.createHost("a", redfish);
  REQUIRE(site.reaches("a", "available"));
  site.ironic.breakNext("default~a", ironic::Verb::deploy, "image checksum does not match");
  site.patchHost("a",
                 fmt::format(R"({{"spec":{{"image":{{"url":"{}","checksum":"c","checksumType":"sha256"}}}}}})", image));
  REQUIRE(site.loop.clock.advanceUntil([&] { return site.ironic.state("default~a") == ironic::State::deployFailed; },
                                       10min));
  site.loop.clock.advance(20s);
  CHECK(site.host("a")->status.errorType == "provisioning error");
  CHECK(site.host("a")->status.errorMessage.find("image checksum does not match") != std::string::npos);
  REQUIRE(site.reaches("a", "provisioned"));
  CHECK(site.host("a")->status.operationalStatus == "OK");
}

TEST_CASE("Ironic's return ends every wait at once", "[scenario][faults]") {
  Site site;
  site.createHost("a", redfish, image);
  REQUIRE(site.reaches("a", "inspecting"));
  site.ironicDown();
  site.loop.clock.advance(2h);
  REQUIRE(site.state("a") == "inspecting");
  site.ironicUp();
  CHECK(site.reaches("a", "provisioned", 3min));
}

}  // namespace
}  // namespace ingot::tests
