// Beside Ironic: a live ISO is booted by the agent where the host's annotation asks for it, and Ironic takes the host
// for deployed without having touched it (docs/decisions/0038).
#include "coordinator/agents/live_iso.hpp"
#include "tests/coordinator/agents/live_iso_site.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

TEST_CASE("a live ISO is booted by the agent beside Ironic, whose node becomes active without a deployment") {
  LiveIsoSite site;
  site.rest();
  std::vector<std::string> reasons;
  site.machine().instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method != "GET") reasons.push_back(site.maintenanceReason());
    return std::nullopt;
  };
  site.provision();
  REQUIRE(site.becomes("provisioned"));
  CHECK(site.machine().media == live);
  CHECK(site.machine().bootTarget == "Cd");
  CHECK(site.machine().bootEnabled == "Continuous");
  CHECK(site.machine().powerState == "On");
  CHECK(site.at("/Insert") < site.at("BootSourceOverrideTarget"));
  CHECK(site.at("BootSourceOverrideTarget") < site.at("\"On\""));
  CHECK(site.count("\"On\"") == 1);
  CHECK(reasons == std::vector<std::string>(reasons.size(), "ingot: lent to an agent, which boots the host"));

  CHECK(site.nodeState() == ironic::State::active);
  CHECK_FALSE(site.isLent());
  CHECK(site.ironic.verbs() == std::vector<std::string>{"manage", "adopt"});
  CHECK(json::textAt(site.node(), {"deploy_interface"}) == "ramdisk");
  CHECK(json::textAt(site.node(), {"instance_info", "boot_iso"}) == live);
  CHECK(site.host("a")->status.provisioning.image.url == live);
  CHECK(site.host("a")->status.poweredOn);
  CHECK(site.eventMessages("metal", "ProvisioningStarted") ==
        std::vector<std::string>{"Image provisioning started for http://images/live.iso: an agent boots it"});
  CHECK(site.eventMessages("metal", "ProvisioningComplete").size() == 1);
  site.pass(10min);  // the power sync finds what it remembers
  CHECK(site.machine().powerState == "On");
  CHECK(site.count("\"On\"") == 1);
}

TEST_CASE("a host that its agent has booted is given back by it: its drive is empty before Ironic tears it down") {
  LiveIsoSite site;
  site.run();
  std::string mediaAtTearDown = "never";
  site.ironic.onWorkBegun = [&](const std::string&, const std::string&) {
    if (mediaAtTearDown == "never") mediaAtTearDown = site.machine().media + site.machine().powerState;
  };
  site.giveBack();
  REQUIRE(site.becomes("available"));
  CHECK(mediaAtTearDown == "Off");
  CHECK(site.at("ForceOff") < site.at("/Eject"));
  CHECK(site.count("ForceOff") == 1);
  CHECK(site.machine().media.empty());
  CHECK(site.machine().bootEnabled == "Disabled");
  CHECK(site.machine().powerState == "Off");
  CHECK_FALSE(site.isLent());
  CHECK(site.mark().empty());
  CHECK(site.ironic.verbs() == std::vector<std::string>{"deleted"});
  CHECK(site.eventMessages("metal", "DeprovisioningComplete").size() == 1);

  site.provision();  // and once more
  REQUIRE(site.becomes("provisioned"));
  CHECK(site.machine().media == live);
}

TEST_CASE("a host that its agent has booted boots from its live ISO again after its BMC has lost it") {
  LiveIsoSite site;
  site.run();
  site.machine().media.clear();
  site.machine().bootEnabled = "Disabled";
  site.patchHost("a", R"({"metadata":{"annotations":{"reboot.metal3.io":"{\"mode\":\"hard\"}"}}})");
  REQUIRE(site.until([&] { return site.machine().powerState == "Off"; }));
  REQUIRE(site.until([&] { return site.machine().powerState == "On"; }));
  CHECK(site.machine().media == live);
  CHECK(site.machine().bootEnabled == "Continuous");
}

TEST_CASE("without the annotation, or with an image for a disk, Ironic boots the host as ever") {
  const bool isAsked = GENERATE(false, true);
  LiveIsoSite site(isAsked ? "agent" : "");
  site.rest();
  if (isAsked)
    site.patchHost("a", diskImage);
  else
    site.provision();
  REQUIRE(site.becomes("provisioned"));
  CHECK(site.ironic.verbs() == std::vector<std::string>{"active"});
  CHECK(site.at("/Insert") == site.machine().journal.size());
  CHECK(site.mark().empty());
  const auto told = site.eventMessages("metal", "BootedByIronic");
  CHECK(told.size() == (isAsked ? 1 : 0));
  if (isAsked) CHECK(told[0].find("which boots a live ISO only") != std::string::npos);
}

TEST_CASE("what an agent cannot boot is refused before anything is begun, with what would be right") {
  LiveIsoSite site;
  site.rest();
  SECTION("secure boot") {
    site.patchHost("a", R"({"spec":{"bootMode":"UEFISecureBoot"}})");
    site.provision();
    CHECK(site.fails("bootMode UEFISecureBoot takes Ironic"));
  }
  SECTION("an annotation that nobody knows") {
    site.patchHost("a", R"({"metadata":{"annotations":{"ingot.dev/boot-by":"me"}}})");
    site.provision();
    CHECK(site.fails("'me' is nobody who boots hosts"));
  }
  SECTION("a host that must not be off") {
    site.patchHost("a", R"({"spec":{"disablePowerOff":true,"online":true}})");
    site.provision();
    CHECK(site.fails("which disablePowerOff forbids; without the annotation Ironic does it"));
  }
  CHECK(site.state("a") == "available");
  CHECK(site.host("a")->status.errorType == "provisioning error");
  CHECK(site.mark().empty());
  CHECK(site.ironic.verbs().empty());
}

TEST_CASE("without an agent the host waits, says for whom, and is Ironic's once the annotation is gone") {
  LiveIsoSite site;
  site.rest();
  site.killAgent("near");
  site.pass(2min);
  site.provision();
  REQUIRE(site.fails("annotation ingot.dev/boot-by asks for an agent: no agent serves this host"));
  CHECK(site.host("a")->status.errorMessage.find("without the annotation Ironic does it") != std::string::npos);
  CHECK(site.host("a")->status.errorType.empty());
  CHECK_FALSE(site.isLent());
  SECTION("an agent comes") {
    site.startAgent("near");
    REQUIRE(site.becomes("provisioned"));
    CHECK(site.ironic.verbs() == std::vector<std::string>{"manage", "adopt"});
  }
  SECTION("the annotation goes") {
    site.withdraw();
    REQUIRE(site.becomes("provisioned"));
    CHECK(site.ironic.verbs() == std::vector<std::string>{"active"});
  }
}

TEST_CASE("disks of a host that an agent booted are erased by the agent, or cleaned by Ironic, as its owner wants") {
  const bool erases = GENERATE(false, true);
  LiveIsoSite site;
  FakeDrives drives(site.machine());
  drives.add("A");
  site.rest(R"({"spec":{"automatedCleaningMode":"metadata","inspectionMode":"fast"},)"
            R"("metadata":{"annotations":{"inspect.metal3.io":""}}})");
  if (erases) site.patchHost("a", R"({"metadata":{"annotations":{"ingot.dev/cleaning-depth":"crypto"}}})");
  REQUIRE(site.until([&] { return site.host("a")->status.hardware && site.state("a") == "available"; }));
  site.provision();
  REQUIRE(site.becomes("provisioned"));
  site.pass(10s);
  bool hasCleaned = false;
  site.giveBack();
  REQUIRE(site.until(
      [&] {
        hasCleaned = hasCleaned || site.nodeState() == ironic::State::cleanWait;
        return site.state("a") == "available";
      },
      1h));
  CHECK(hasCleaned != erases);
  CHECK(drives.areErasedOnce() == erases);
  CHECK(site.machine().media.empty());
  CHECK_FALSE(site.isLent());
}

TEST_CASE("a host that is deleted is ejected by its agent before it goes") {
  LiveIsoSite site;
  site.run();
  site.removeHost("a");
  REQUIRE(site.goes(1h));
  CHECK(site.machine().media.empty());
  CHECK(site.machine().powerState == "Off");
  CHECK_FALSE(site.ironic.has("metal~a"));
}

TEST_CASE("a host that must not be off is ejected by nobody but its Ironic") {
  LiveIsoSite site;
  site.run();
  site.patchHost("a", R"({"spec":{"disablePowerOff":true,"image":null}})");
  CHECK(site.fails("which disablePowerOff forbids; without the annotation Ironic does it"));
  CHECK(site.machine().powerState == "On");
  site.withdraw();
  REQUIRE(site.becomes("available", 1h));
  CHECK(site.machine().media.empty());
  CHECK_FALSE(site.isLent());
}

TEST_CASE("an operator's maintenance is left as it is, and waited for before an agent boots") {
  LiveIsoSite site;
  site.rest();
  site.setMaintenance("hands in the machine");
  site.pass(1min);
  site.provision();
  REQUIRE(site.fails("is in maintenance in Ironic (hands in the machine)"));
  site.pass(10min);
  CHECK(site.maintenanceReason() == "hands in the machine");
  CHECK(site.machine().journal.empty());
  site.setMaintenance("");
  REQUIRE(site.becomes("provisioned"));
}

TEST_CASE("where Ironic would leave a live ISO in the drive, an agent is not asked to boot one") {
  LiveIsoSite site;
  site.bmcScheme = "redfish";
  site.rest();
  site.provision();
  CHECK(site.fails("takes nothing out of virtual drives"));
  CHECK(site.state("a") == "available");
  CHECK(site.mark().empty());
  CHECK(site.machine().journal.empty());
}

TEST_CASE("a URL that no BMC takes is refused before anything is begun") {
  const std::string url = "oci://registry/live";  // file: and what is no URL are refused at admission
  LiveIsoSite site;
  site.rest();
  site.provision(url);
  CHECK(site.fails("a BMC fetches an image from http, https, nfs, cifs or smb only"));
  CHECK(site.state("a") == "available");
  CHECK(site.mark().empty());
  CHECK(site.ironic.verbs().empty());
}

TEST_CASE("an image is fetched from wherever a BMC takes it") {
  for (const auto* scheme : {"http", "https", "nfs", "cifs", "smb"}) {
    INFO(scheme);
    CHECK(coordinator::agents::whyNotByAgent({.url = std::string(scheme) + "://images/live.iso",
                                              .bootMode = "UEFI",
                                              .bmcAddress = "redfish-virtualmedia://10.0.0.1/redfish/v1/Systems/1"})
              .empty());
  }
}

TEST_CASE("an operator's maintenance is left as it is, and waited for before an agent ejects") {
  LiveIsoSite site;
  site.run();
  site.setMaintenance("hands in the machine");
  site.giveBack();
  site.pass(5min);
  CHECK(site.maintenanceReason() == "hands in the machine");
  CHECK(site.machine().journal.empty());
  CHECK(site.fails("is in maintenance in Ironic (hands in the machine)"));
  site.setMaintenance("");
  REQUIRE(site.becomes("available"));
  CHECK(site.machine().media.empty());
}

TEST_CASE("a host is not switched on without its live ISO where Ironic does not say who has booted it") {
  LiveIsoSite site;
  site.run();
  site.setOnline("a", false);
  REQUIRE(site.until([&] { return site.machine().powerState == "Off"; }));
  site.pass(1min);
  site.machine().media.clear();
  site.machine().bootEnabled = "Disabled";
  site.node()["last_error"] = "something that a sweep shows";
  site.pass(1min);
  site.ironic.failNext("GET", "/v1/nodes/", {.kind = FakeFault::Kind::status}, 10);
  site.setOnline("a", true);
  std::string mediaAtPowerOn = "never";
  REQUIRE(site.until([&] {
    if (site.machine().powerState == "On" && mediaAtPowerOn == "never") mediaAtPowerOn = site.machine().media;
    return site.machine().powerState == "On";
  }));
  CHECK(mediaAtPowerOn == live);
}

TEST_CASE("a host that an agent has booted is switched on by no other while that is gone") {
  LiveIsoSite site;
  site.run();
  site.setOnline("a", false);
  REQUIRE(site.until([&] { return site.machine().powerState == "Off"; }));
  site.pass(1min);
  site.killAgent("near");
  site.pass(2min);
  site.setOnline("a", true);
  site.pass(5min);
  CHECK(site.machine().powerState == "Off");
  SECTION("it comes back") { site.startAgent("near"); }
  SECTION("the annotation goes") { site.withdraw(); }
  CHECK(site.until([&] { return site.machine().powerState == "On"; }));
}

TEST_CASE("a host that is still going down gets its live ISO again before it is switched on") {
  LiveIsoSite site;
  site.ironic.setOptions({.forcePowerDuringSync = false});
  site.run();
  site.machine().media.clear();
  site.machine().bootEnabled = "Disabled";
  site.machine().powerState = "PoweringOff";
  site.pass(30s);
  CHECK(site.count("\"On\"") == 0);
  site.machine().powerState = "Off";
  CHECK(site.mediaAtPowerOn() == live);
}
