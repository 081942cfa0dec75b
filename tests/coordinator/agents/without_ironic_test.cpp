// --provisioner agent: hosts live without Ironic (docs/guide/without-ironic.md).
#include "kube/runtime/conditions.hpp"
#include "tests/coordinator/agents/agents_only.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

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

TEST_CASE("a host that is still going down gets its live ISO back before it is switched on") {
  AgentsOnly site;
  site.rest();
  site.provision();
  REQUIRE(site.becomes("provisioned"));
  site.pass(10s);
  site.machine().media.clear();
  site.machine().powerState = "PoweringOff";
  site.machine().journal.clear();
  site.pass(30s);
  CHECK(site.machine().journal.empty());
  site.machine().powerState = "Off";
  REQUIRE(site.until([&] { return site.machine().powerState == "On"; }));
  CHECK(site.at("/Insert") < site.at("\"On\""));
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
