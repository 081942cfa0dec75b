// --provisioner agent: hosts live without Ironic (docs/guide/without-ironic.md).
#include "kube/runtime/conditions.hpp"
#include "tests/coordinator/agents/resting_host.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

const std::string live = "http://images/live.iso";

struct AgentsOnly : Site {
  AgentsOnly() : Site(With::agent) { addBmc("10.0.0.1").hasMedia = true; }

  FakeRedfish& machine() { return bmc("10.0.0.1"); }
  void rest() { restingHost(*this); }
  void provision(const std::string& url = live, const std::string& format = "live-iso") {
    patchHost("a", fmt::format(R"({{"spec":{{"online":true,"image":{{"url":"{}","format":"{}"}}}}}})", url, format));
  }
  // Index of the first write of the BMC since `from` that holds this word; the number of writes where there is none.
  std::size_t at(const std::string& word, std::size_t from = 0) {
    const auto& journal = machine().journal;
    const auto found = std::find_if(journal.begin() + static_cast<std::ptrdiff_t>(from), journal.end(),
                                    [&](const auto& write) { return write.find(word) != std::string::npos; });
    return static_cast<std::size_t>(found - journal.begin());
  }
  bool isRunning() {
    setOnline("a", true);
    return until([&] { return machine().powerState == "On" && host("a")->status.poweredOn; });
  }
  bool becomes(const std::string& wanted, base::Duration limit = 5min) {
    return until([&] { return state("a") == wanted; }, limit);
  }
  bool fails(const std::string& words, base::Duration limit = 3min) {
    return until([&] { return host("a")->status.errorMessage.find(words) != std::string::npos; }, limit);
  }
};

}  // namespace

TEST_CASE("a host is registered, inspected and made available by its agent") {
  AgentsOnly site;
  site.serveAll("near");
  site.addHost("a", "10.0.0.1", false);
  site.patchHost("a", R"({"metadata":{"annotations":{"inspect.metal3.io":null}}})");
  CHECK(site.becomes("available"));
  REQUIRE(site.host("a")->status.hardware);
  CHECK(site.host("a")->status.hardware->systemVendor.serialNumber == "S1");
  CHECK(site.host("a")->status.provisioning.ID == "agent-" + site.uid("a"));
  CHECK(site.eventMessages("metal", "InspectionComplete").size() == 1);
}

TEST_CASE("a live ISO is booted: the host was off before it was inserted, and is on after it") {
  AgentsOnly site;
  site.rest();
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return site.machine().powerState == "On"; }));
  site.machine().journal.clear();
  site.provision();
  REQUIRE(site.becomes("provisioned"));
  CHECK(site.machine().media == live);
  CHECK(site.machine().bootTarget == "Cd");
  CHECK(site.machine().powerState == "On");
  CHECK(site.host("a")->status.provisioning.image.url == live);
  CHECK(site.host("a")->status.poweredOn);
  CHECK(site.at("ForceOff") < site.at("/Insert"));
  CHECK(site.at("/Insert") < site.at("BootSourceOverrideTarget"));
  CHECK(site.at("BootSourceOverrideTarget") < site.at("\"On\""));
  CHECK(site.eventMessages("metal", "ProvisioningStarted").size() == 1);
  CHECK(site.resets("10.0.0.1") == 3);  // on at first, off, on: each once
}

TEST_CASE("a host that runs from a live ISO boots from it again after its BMC has lost it") {
  AgentsOnly site;
  site.rest();
  site.provision();
  REQUIRE(site.becomes("provisioned"));
  site.pass(10s);
  site.machine().media.clear();
  site.machine().bootEnabled = "Disabled";
  site.patchHost("a", R"({"metadata":{"annotations":{"reboot.metal3.io":"{\"mode\":\"hard\"}"}}})");
  REQUIRE(site.until([&] { return site.machine().powerState == "Off"; }));
  REQUIRE(site.until([&] { return site.machine().powerState == "On"; }));
  CHECK(site.machine().media == live);
  CHECK(site.machine().bootEnabled == "Continuous");
}

TEST_CASE("a BMC that keeps a boot device for one boot only is told of, and given it again at each power-on") {
  AgentsOnly site;
  site.rest();
  site.machine().instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method != "PATCH" || request.body.find("Continuous") == std::string::npos) return std::nullopt;
    return net::HttpResponse{.status = 400, .body = R"({"error":{"message":"no such value"}})"};
  };
  site.provision();
  REQUIRE(site.becomes("provisioned"));
  CHECK(site.machine().bootEnabled == "Once");
  CHECK(site.until([&] { return site.eventMessages("metal", "BootDeviceNotKept").size() == 1; }));
  site.pass(10s);
  site.machine().bootEnabled = "Disabled";  // used up
  site.machine().journal.clear();
  site.patchHost("a", R"({"metadata":{"annotations":{"reboot.metal3.io":"{\"mode\":\"hard\"}"}}})");
  REQUIRE(site.until([&] { return site.at("\"On\"") < site.machine().journal.size(); }));
  CHECK(site.at("\"Once\"") < site.at("\"On\""));
  CHECK(site.at("/Insert") == site.machine().journal.size());  // it is still there
}

TEST_CASE("a host is deprovisioned: off, its drive empty, its boot order its own") {
  AgentsOnly site;
  site.rest();
  site.provision();
  REQUIRE(site.becomes("provisioned"));
  site.machine().journal.clear();
  site.patchHost("a", R"({"spec":{"online":false,"image":null}})");
  REQUIRE(site.becomes("available"));
  CHECK(site.at("ForceOff") < site.at("/Eject"));
  CHECK(site.at("/Eject") < site.machine().journal.size());
  CHECK(site.machine().media.empty());
  CHECK(site.machine().bootEnabled == "Disabled");
  CHECK(site.machine().powerState == "Off");
}

TEST_CASE("a deleted host is switched off and goes") {
  AgentsOnly site;
  site.rest();
  site.provision();
  REQUIRE(site.becomes("provisioned"));
  site.removeHost("a");
  CHECK(site.until([&] { return site.box("near").life->agent.hosts() == 0; }));
  const auto gone = site.loop.run(site.user().get<api::BareMetalHost>({"metal", "a"}));
  CHECK_FALSE(gone);
  CHECK(site.machine().powerState == "Off");
  CHECK(site.machine().media.empty());
}

TEST_CASE("a coordinator that dies in the middle of it leaves nothing half-done") {
  AgentsOnly site;
  site.rest();
  const std::string word = GENERATE(as<std::string>(), "/Eject", "/Insert", "BootSourceOverride", "\"On\"");
  INFO(word);
  site.machine().journal.clear();
  site.provision();
  const auto isReached = [&] {
    return std::ranges::any_of(site.machine().journal,
                               [&](const auto& write) { return write.find(word) != std::string::npos; });
  };
  REQUIRE(site.until(isReached, 5min));
  const auto then = site.machine().journal.size();
  site.killCoordinator();
  site.startCoordinator();
  REQUIRE(site.becomes("provisioned"));
  CHECK(site.machine().media == live);
  CHECK(site.machine().bootEnabled == "Continuous");
  CHECK(site.machine().powerState == "On");
  // It begins anew, and never under a host that runs.
  if (word == "\"On\"") CHECK(site.at("ForceOff", then) < site.at("/Insert", then));
  CHECK(site.at("/Insert", then) < site.at("\"On\"", then));
}

TEST_CASE("a status that cannot be saved does not switch the host off again that has just been provisioned") {
  AgentsOnly site;
  site.rest();
  site.provision();
  // Whoever reconciles last finds another version: an annotation comes with each write of the BMC.
  int edits = 0;
  site.machine().onReset = [&site, &edits] {
    site.patchHost("a", fmt::format(R"({{"metadata":{{"annotations":{{"x":"{}"}}}}}})", ++edits));
  };
  REQUIRE(site.becomes("provisioned"));
  site.machine().onReset = {};
  CHECK(std::ranges::count_if(site.machine().journal,
                              [](const auto& write) { return write.find("/Insert") != std::string::npos; }) == 1);
}

TEST_CASE("an agent that dies in the middle of it is asked again when it is back") {
  AgentsOnly site;
  site.rest();
  site.machine().before = [&site](const net::ServerRequest& request) -> base::Task<void> {
    if (request.path().ends_with("/Insert")) co_await site.runtime.clock.sleepFor(20s);
  };
  site.machine().journal.clear();
  site.provision();
  REQUIRE(site.until([&] {
    return !site.machine().journal.empty() && site.machine().journal.back().find("/Insert") != std::string::npos;
  }));
  site.killAgent("near");
  site.machine().before = {};
  site.pass(30s);
  CHECK(site.state("a") == "provisioning");
  site.startAgent("near");
  CHECK(site.becomes("provisioned"));
  CHECK(site.machine().media == live);
}

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
  site.pass(5min);
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

TEST_CASE("a BMC that is slow to switch fails no provisioning") {
  AgentsOnly site;
  site.rest();
  site.machine().obeys = false;
  site.provision();
  REQUIRE(site.until([&] { return site.at("\"On\"") < site.machine().journal.size(); }));
  site.pass(50s);  // late, and worth a word
  CHECK(site.state("a") == "provisioning");
  site.machine().powerState = "On";
  CHECK(site.becomes("provisioned"));
  CHECK(site.host("a")->status.errorMessage.empty());
  CHECK(std::ranges::count_if(site.machine().journal,
                              [](const auto& write) { return write.find("/Insert") != std::string::npos; }) == 1);
}

TEST_CASE("a host that is still going down is waited for before its image is inserted") {
  AgentsOnly site;
  site.rest();
  REQUIRE(site.isRunning());
  site.machine().powerState = "PoweringOff";
  site.machine().obeys = false;
  site.machine().journal.clear();
  site.provision();
  site.pass(1min);
  CHECK(site.state("a") == "provisioning");
  CHECK(site.machine().journal.empty());
  site.machine().powerState = "Off";
  site.machine().obeys = true;
  CHECK(site.becomes("provisioned"));
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

TEST_CASE("a host that goes while its agent is away is waited for, and not left running") {
  AgentsOnly site;
  site.rest();
  site.provision();
  REQUIRE(site.becomes("provisioned"));
  site.killAgent("near");
  site.removeHost("a");
  site.pass(30min);
  CHECK(site.loop.run(site.user().get<api::BareMetalHost>({"metal", "a"})));
  site.startAgent("near");
  CHECK(site.until([&] { return site.machine().powerState == "Off" && site.machine().media.empty(); }, 15min));
}

TEST_CASE("why the power of a host is not known without an agent is said") {
  AgentsOnly site;
  site.rest();
  site.killAgent("near");
  CHECK(site.until(
      [&] {
        const auto* known = kube::findCondition(site.host("a")->status.conditions, "PowerStateKnown");
        return known != nullptr && known->message.find("no agent serves this host") != std::string::npos;
      },
      5min));
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
