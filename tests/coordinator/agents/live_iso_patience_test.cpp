// A live ISO that an agent boots or ejects, when it takes longer than usual: Ironic is slow to take note of a power, a
// BMC of its drives, and nobody can work for a while (docs/decisions/0038, 0044).
#include "tests/coordinator/agents/live_iso_site.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

// How Ironic keeps a node from anybody else once an agent has changed its power.
enum class Hold { follows, locks };

struct HeldSite : LiveIsoSite {
  // From the next change of power on: Ironic takes so long to follow it, or somebody's task holds the node.
  void holdFor(Hold how, base::Duration time) {
    if (how == Hold::follows) {
      ironic.setOptions({.powerWork = time});
    } else {
      onAgentWrite = [this](const std::string&) { node()["reservation"] = "conductor"; };
    }
  }
  void letGo() {
    ironic.setOptions({});
    onAgentWrite = nullptr;
    node()["reservation"] = nullptr;
  }
};

std::string textOf(Hold how) { return how == Hold::follows ? "it follows the power" : "it is locked"; }

// The errors that the host has shown, by their type.
std::set<std::string>& errorsOf(Site& site) {
  auto seen = std::make_shared<std::set<std::string>>();
  site.onHostStored = [seen](const api::BareMetalHost& host) {
    if (!host.status.errorType.empty()) seen->insert(host.status.errorType + ": " + host.status.errorMessage);
  };
  return *seen;
}

// A BMC with many drives, each of which rests for 27 s before it takes an ejection.
void slowDrives(FakeRedfish& bmc, int count) {
  std::string members;
  for (int i = 0; i < count; ++i) {
    const auto path = fmt::format("/vm/{}", i);
    members += fmt::format(R"({{"@odata.id":"{}"}},)", path);
    bmc.documents[path] = fmt::format(R"({{"Id":"{}","MediaTypes":["CD"],"Inserted":false,"Actions":{{)"
                                      R"("#VirtualMedia.EjectMedia":{{"target":"{}/Eject"}}}}}})",
                                      i, path);
    bmc.documents[path + "/Eject"] = "{}";
  }
  bmc.documents["/redfish/v1/Systems/1/VirtualMedia"] =
      fmt::format(R"({{"Members":[{}{{"@odata.id":"/redfish/v1/Systems/1/VirtualMedia/Cd"}}]}})", members);
  bmc.instead = [tries = std::map<std::string, int>()](
                    const net::ServerRequest& request) mutable -> std::optional<net::HttpResponse> {
    const bool ejects = request.target.starts_with("/vm/") && request.target.ends_with("/Eject");
    if (!ejects || ++tries[request.target] >= 10) return std::nullopt;
    return net::HttpResponse{.status = 400,
                             .body = R"({"error":{"@Message.ExtendedInfo":[{"MessageId":"IDRAC.2.8.SYS518"}]}})"};
  };
}

net::HttpResponse refusal(const std::string& why) {
  return {.status = 400, .body = fmt::format(R"({{"error":{{"message":"{}"}}}})", why)};
}

}  // namespace

TEST_CASE("a machine that its agent has switched on stays on while Ironic is slow to take note of it") {
  const auto how = GENERATE(Hold::follows, Hold::locks);
  INFO(textOf(how));
  HeldSite site;
  site.rest();
  site.holdFor(how, 3min);
  site.provision();
  REQUIRE(site.fails("is lent to an agent, and"));
  CHECK(site.host("a")->status.errorType.empty());
  site.pass(how == Hold::locks ? 2min : 10s);
  CHECK(site.state("a") == "provisioning");
  if (how == Hold::locks) site.letGo();
  REQUIRE(site.becomes("provisioned"));
  CHECK(site.count("\"On\"") == 1);
  CHECK(site.count("ForceOff") == 0);
  CHECK(site.machine().powerState == "On");
}

TEST_CASE("a lent machine that Ironic has switched in the middle of its boot is made ready anew") {
  HeldSite site;
  site.rest();
  site.machine().before = [&, isSwitched = false](const net::ServerRequest& request) mutable -> base::Task<void> {
    if (!request.target.ends_with("/Insert") || std::exchange(isSwitched, true)) co_return;
    site.node()["target_power_state"] = "power on";
    site.machine().powerState = "On";
  };
  site.provision();
  REQUIRE(site.fails("is lent to an agent, and"));
  site.machine().bootEnabled = "Disabled";  // Ironic sets what it remembers
  site.machine().media.clear();
  site.node()["target_power_state"] = nullptr;
  REQUIRE(site.becomes("provisioned"));
  CHECK(site.count("ForceOff") == 1);
  CHECK(site.machine().media == live);
  CHECK(site.machine().bootEnabled == "Continuous");
  CHECK(site.machine().powerState == "On");
}

TEST_CASE("an ejection and a deletion wait while Ironic is slow to take note that the machine is off") {
  const bool isDeleted = GENERATE(false, true);
  const auto how = GENERATE(Hold::follows, Hold::locks);
  INFO(textOf(how) << (isDeleted ? ", deleted" : ""));
  HeldSite site;
  site.run();
  const auto& errors = errorsOf(site);
  site.holdFor(how, 7min);
  isDeleted ? site.removeHost("a") : site.giveBack();
  REQUIRE(site.fails("is lent to an agent, and"));
  site.pass(5min);
  CHECK(site.state("a") == "deprovisioning");
  site.letGo();
  REQUIRE((isDeleted ? site.goes(1h) : site.becomes("available")));
  CHECK(errors.empty());
  CHECK(site.eventMessages("metal", "DeprovisioningSkipped").empty());
  CHECK(site.count("ForceOff") == 1);
  CHECK(site.machine().media.empty());
  CHECK(site.machine().powerState == "Off");
}

TEST_CASE("a deletion whose ejection stays locked out waits for ten minutes once, not with each of its tries") {
  HeldSite site;
  site.run();
  const auto& errors = errorsOf(site);
  site.holdFor(Hold::locks, {});
  site.removeHost("a");
  REQUIRE(site.fails("is lent to an agent, and"));
  site.pass(8min);
  CHECK(errors.empty());
  CHECK(site.state("a") == "deprovisioning");
  site.pass(5min);
  const auto skipped = site.eventMessages("metal", "DeprovisioningSkipped");
  REQUIRE(skipped.size() == 1);
  CHECK_THAT(skipped.front(), Catch::Contains("Ironic's conductor conductor holds it"));
  CHECK(site.goes(15min));
}

TEST_CASE("a deletion waits for an agent that is ejecting for long") {
  const auto backend = GENERATE(Site::With::ironic, Site::With::agent);
  INFO((backend == Site::With::ironic ? "beside Ironic" : "without Ironic"));
  LiveIsoSite site("agent", backend);
  site.run();
  slowDrives(site.machine(), 20);
  site.removeHost("a");
  REQUIRE(site.fails("the agent is still setting what the host boots from", 5min));
  site.pass(5min);
  CHECK(site.state("a") == "deprovisioning");
  CHECK(site.machine().media == live);
  REQUIRE(site.goes(1h));
  CHECK(site.eventMessages("metal", "DeprovisioningSkipped").empty());
  CHECK(site.machine().media.empty());
  CHECK(site.machine().powerState == "Off");
}

TEST_CASE("a deletion waits for an ejection that an agent has begun for a coordinator before") {
  LiveIsoSite site;
  site.run();
  slowDrives(site.machine(), 20);
  site.removeHost("a");
  REQUIRE(site.until([&] { return site.count("/Eject") > 0; }));
  site.pass(1min);
  site.killCoordinator();
  site.startCoordinator();
  REQUIRE(site.fails("another request is being carried out", 2min));
  REQUIRE(site.goes(1h));
  CHECK(site.eventMessages("metal", "DeprovisioningSkipped").empty());
  CHECK(site.machine().media.empty());
}

TEST_CASE("a power-on that is refused once costs nothing, however long nobody could work before") {
  const auto whoWaits = GENERATE(as<std::string>(), "agent", "maintenance", "agent alone");
  INFO(whoWaits);
  LiveIsoSite site("agent", whoWaits == "agent alone" ? Site::With::agent : Site::With::ironic);
  site.rest();
  if (whoWaits == "maintenance")
    site.setMaintenance("hands in the machine");
  else
    site.killAgent("near");
  site.pass(2min);
  site.provision();
  REQUIRE(site.fails(whoWaits == "maintenance" ? "hands in the machine" : "no agent serves this host"));
  REQUIRE(site.state("a") == "provisioning");
  site.pass(20min);
  const auto& errors = errorsOf(site);
  site.machine().refusals = {refusal("still in its self test")};
  if (whoWaits == "maintenance")
    site.setMaintenance("");
  else
    site.startAgent("near");
  REQUIRE(site.becomes("provisioned"));
  CHECK(site.machine().refusals.empty());
  CHECK(errors.empty());
  CHECK(site.machine().media == live);
}

TEST_CASE("a power-on that is refused for a quarter of an hour fails the provisioning") {
  LiveIsoSite site;
  site.rest();
  const auto& errors = errorsOf(site);
  site.machine().refusals = std::deque<net::HttpResponse>(1000, refusal("no input power"));
  site.provision();
  REQUIRE(site.fails("no input power"));
  site.pass(12min);
  CHECK(errors.empty());
  REQUIRE(site.until([&] { return !errors.empty(); }));
  CHECK(errors.begin()->find("no input power") != std::string::npos);
}

TEST_CASE("a boot that was in trouble before its host was paused for long has its time for it afterwards") {
  const auto backend = GENERATE(Site::With::ironic, Site::With::agent);
  INFO((backend == Site::With::ironic ? "beside Ironic" : "without Ironic"));
  LiveIsoSite site("agent", backend);
  site.rest();
  const auto& errors = errorsOf(site);
  bool isBroken = true;
  site.machine().instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!isBroken || request.target.find("VirtualMedia") == std::string::npos) return std::nullopt;
    return net::HttpResponse{.status = 0};
  };
  site.provision();
  REQUIRE(site.fails("VirtualMedia"));
  site.patchHost("a", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":""}}})");
  site.pass(40min);
  site.patchHost("a", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":null}}})");
  site.pass(1min);
  isBroken = false;
  REQUIRE(site.becomes("provisioned"));
  CHECK(errors.empty());
  CHECK(site.machine().media == live);
}
