// --provisioner agent: what is refused, and what is left alone then (docs/guide/without-ironic.md).
#include "tests/coordinator/agents/agents_only.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

TEST_CASE("what only Ironic can do is refused by name, and nothing is done to a host that runs") {
  AgentsOnly site;
  site.rest();
  REQUIRE(site.isRunning());
  site.machine().journal.clear();
  SECTION("another image") {
    site.patchHost("a", R"({"spec":{"image":{"url":"http://images/disk.qcow2","checksum":"http://images/sum"}}})");
    CHECK(site.fails("takes Ironic; without it a host boots a live ISO only"));
  }
  SECTION("customDeploy") {
    site.patchHost("a", R"({"spec":{"customDeploy":{"method":"install_coreos"}}})");
    CHECK(site.fails("customDeploy 'install_coreos' takes Ironic"));
  }
  SECTION("an URL that no BMC takes") {
    site.provision("http://images/" + std::string(3000, 'x') + ".iso");
    CHECK(site.fails("image.url has 3018 characters"));
  }
  site.pass(5min);  // each new attempt is refused as the first
  site.killCoordinator();
  site.startCoordinator();
  site.pass(5min);
  CHECK(site.machine().journal.empty());
  CHECK(site.machine().powerState == "On");
}

TEST_CASE("a live ISO is not for a host behind IPMI, nor for secure boot") {
  AgentsOnly site;
  site.rest();
  SECTION("IPMI") {
    site.patchHost("a", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/detached":"{}"}}})");
    REQUIRE(site.until([&] { return site.host("a")->status.operationalStatus == "detached"; }));
    site.patchHost("a", R"({"spec":{"bmc":{"address":"ipmi://10.0.0.1"}},"metadata":{"annotations":)"
                        R"({"baremetalhost.metal3.io/detached":null}}})");
    site.provision();
    CHECK(site.fails("a BMC behind IPMI has no virtual media"));
  }
  SECTION("secure boot") {
    site.patchHost("a", R"({"spec":{"bootMode":"UEFISecureBoot"}})");
    site.provision();
    CHECK(site.fails("bootMode UEFISecureBoot takes Ironic"));
  }
}

TEST_CASE("a host that must not be off is given no live ISO, and keeps the one that it has") {
  AgentsOnly site;
  site.rest();
  const bool isProvisioned = GENERATE(false, true);
  if (isProvisioned) {
    site.provision();
    REQUIRE(site.becomes("provisioned"));
  } else {
    REQUIRE(site.isRunning());
  }
  site.patchHost("a", R"({"spec":{"online":true,"disablePowerOff":true}})");
  site.machine().journal.clear();
  if (isProvisioned)
    site.patchHost("a", R"({"spec":{"image":null}})");
  else
    site.provision();
  CHECK(site.fails("which disablePowerOff forbids"));
  site.pass(isProvisioned ? 5min : 30s);  // a provisioning is given up after its fifth failure
  CHECK(site.machine().journal.empty());
  CHECK(site.machine().powerState == "On");
  site.patchHost("a", R"({"spec":{"disablePowerOff":false}})");
  CHECK(site.becomes(isProvisioned ? "available" : "provisioned", 30min));
}

TEST_CASE("an image that was begun is taken out, also where what replaces it is refused") {
  AgentsOnly site;
  site.rest();
  site.machine().obeys = false;  // it does not come on
  site.provision();
  REQUIRE(site.until([&] { return site.at("\"On\"") < site.machine().journal.size(); }));
  site.patchHost("a", R"({"spec":{"image":null,"customDeploy":{"method":"install_coreos"}}})");
  site.machine().obeys = true;
  CHECK(site.until([&] { return site.machine().media.empty() && site.machine().bootEnabled == "Disabled"; }, 30min));
}

TEST_CASE("a host that another cluster's coordinator has looked after is taken over with its machine") {
  AgentsOnly site;
  site.rest();
  site.loop.run(site.user().patchStatus<api::BareMetalHost>(
      {"metal", "a"}, json::parse(R"({"status":{"provisioning":{"ID":"agent-of-another-object"}}})")));
  CHECK(site.until([&] { return site.host("a")->status.provisioning.ID == "agent-" + site.uid("a"); }, 2min));
  CHECK(site.host("a")->status.errorMessage.empty());
}

TEST_CASE("a cleaning that takes Ironic is refused, its disks are named, and the image is out") {
  AgentsOnly site;
  site.machine().moreOfSystem = R"(,"Storage":{"@odata.id":"/st"})";
  site.machine().documents["/st"] = R"({"Members":[{"@odata.id":"/st/1"}]})";
  site.machine().documents["/st/1"] = R"({"Drives":[{"@odata.id":"/st/1/d"}]})";
  site.machine().documents["/st/1/d"] = R"({"Name":"Disk.Bay.0","SerialNumber":"DISK7","CapacityBytes":1000000000})";
  site.serveAll("near");
  site.addHost("a", "10.0.0.1", false);
  site.patchHost("a", R"({"metadata":{"annotations":{"inspect.metal3.io":null}}})");
  REQUIRE(site.becomes("available"));
  site.provision();
  REQUIRE(site.becomes("provisioned"));
  site.patchHost("a", R"({"spec":{"automatedCleaningMode":"metadata","image":null}})");
  CHECK(site.fails("asks for a cleaning of its disks DISK7, which takes Ironic; set it to 'disabled'"));
  CHECK(site.machine().media.empty());
  SECTION("it is set to disabled") {
    site.patchHost("a", R"({"spec":{"automatedCleaningMode":"disabled"}})");
    CHECK(site.becomes("available"));
  }
  SECTION("the host is deleted") {
    site.removeHost("a");
    CHECK(site.until([&] { return site.box("near").life->agent.hosts() == 0; }, 30min));
    CHECK(site.machine().powerState == "Off");
    CHECK(site.machine().bootEnabled == "Disabled");
  }
}

TEST_CASE("a host is not made available where a cleaning that takes Ironic is asked for") {
  AgentsOnly site;
  site.serveAll("near");
  site.addHost("a", "10.0.0.1", false);
  site.patchHost("a", R"({"spec":{"automatedCleaningMode":"metadata"}})");
  CHECK(site.fails("which takes Ironic; set it to 'disabled'"));
  CHECK(site.state("a") == "preparing");
}

TEST_CASE("of two hosts that name one machine the second is not registered, and its deletion switches nothing off") {
  AgentsOnly site;
  site.rest();
  site.provision();
  REQUIRE(site.becomes("provisioned"));
  site.addHost("b", "10.0.0.1", false, "s3cret", site.host("a")->spec.bootMACAddress);
  REQUIRE(site.until([&] { return !site.host("b")->status.errorMessage.empty(); }, 2min));
  CHECK(site.state("b") == "registering");
  site.removeHost("b");
  site.pass(20min);
  CHECK_FALSE(site.loop.run(site.user().get<api::BareMetalHost>({"metal", "b"})));
  CHECK(site.machine().powerState == "On");
  CHECK(site.machine().media == live);
}

TEST_CASE("a host that Ironic has a node of is not taken over") {
  AgentsOnly site;
  site.rest();
  site.loop.run(site.user().patchStatus<api::BareMetalHost>(
      {"metal", "a"}, json::parse(R"({"status":{"provisioning":{"ID":"7d2c0c5e-0000-4000-8000-000000000001"}}})")));
  CHECK(site.fails("node 7d2c0c5e-0000-4000-8000-000000000001 of Ironic is recorded for this host"));
}

TEST_CASE("a host that no agent serves says so, and heals when one comes") {
  AgentsOnly site;
  site.addHost("a", "10.0.0.1", false);
  CHECK(site.fails("no agent serves this host"));
  site.serveAll("near");
  CHECK(site.becomes("available"));
  CHECK(site.host("a")->status.errorMessage.empty());
}

TEST_CASE("a BMC that takes no image fails the provisioning with its word") {
  AgentsOnly site;
  site.rest();
  site.machine().instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!request.path().ends_with("/Insert")) return std::nullopt;
    return net::HttpResponse{.status = 400, .body = R"({"error":{"message":"no licence for virtual media"}})"};
  };
  site.provision();
  CHECK(site.fails("no licence for virtual media"));
  CHECK_THAT(site.host("a")->status.errorMessage, Catch::Contains("no virtual CD drive took http://images/live.iso: "));
}
