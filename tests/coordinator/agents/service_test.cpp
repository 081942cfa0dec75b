// The coordinator and its agents together: approval, leases, facts, commands, hand-over.
#include "coordinator/host/power_watchdog.hpp"
#include "tests/coordinator/agents/fleet.hpp"
#include "tests/coordinator/agents/resting_host.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::ranges::find(all, one) != all.end();
}

}  // namespace

TEST_CASE("an agent shows up pending, is approved, serves, and proves a power-on") {
  Site site;
  site.startAgent("near");
  site.addHost("a", "10.0.0.1", false);
  REQUIRE(site.until([&] { return site.settled("a"); }));  // through Ironic alone
  site.pass(5s);
  CHECK(site.bmc("10.0.0.1").logins == 0);  // an unapproved agent gets nothing
  CHECK(site.box("near").life->agent.hosts() == 0);
  const auto pending = site.agentObject("near");
  REQUIRE(pending);
  CHECK_FALSE(pending->spec.approved);
  CHECK(pending->status.fingerprint == wire::fingerprint(site.box("near").key));

  site.approve("near");
  REQUIRE(site.until([&] { return site.box("near").life->agent.hosts() == 1; }, 10s));
  site.pass(10s);
  CHECK(site.agentObject("near")->status.connected);
  const auto before = static_cast<std::ptrdiff_t>(site.ironic.journal().size());
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return site.host("a")->status.poweredOn; }, 30s));
  CHECK(site.resets("10.0.0.1") == 1);
  CHECK(site.bmc("10.0.0.1").powerState == "On");
  site.pass(1min);
  // Ironic was told what is, not asked to do it.
  for (auto it = site.ironic.journal().begin() + before; it != site.ironic.journal().end(); ++it)
    CHECK(it->path.find("provision") == std::string::npos);
  CHECK(json::textAt(json::Value(site.ironic.record("metal~a")), {"power_state"}) == "power on");
}

TEST_CASE("a wrong password is stopped at the agent: one login, and Ironic never hears of it") {
  Site site;
  site.serveAll("near");
  site.addHost("a", "10.0.0.1", false, "wrong");
  REQUIRE(site.until([&] { return site.host("a") && site.host("a")->status.errorType == "registration error"; }));
  CHECK(site.host("a")->status.errorMessage.find("refused the user name or password") != std::string::npos);
  site.pass(30s);
  CHECK(site.bmc("10.0.0.1").logins == 1);
  CHECK(site.ironic.nodeCount() == 0);
  SECTION("and healed by a new Secret at once") {
    site.setPassword("a", "s3cret");
    REQUIRE(site.until([&] { return site.settled("a"); }, 2min));
    CHECK(site.bmc("10.0.0.1").logins == 2);
  }
}

TEST_CASE("a known name with another key is refused, with an event") {
  Site site;
  site.serveAll("near");
  Alive alive = std::make_shared<bool>(true);
  WatchedJournal journal;
  AgentLife impostor(site.runtime, site.wires.agent(std::string(40, 'x')), site.network, journal, "near", "boot-x");
  site.pass(10s);
  CHECK_FALSE(impostor.agent.approved());
  CHECK(impostor.agent.hosts() == 0);
  bool told = has(site.eventReasons("default"), "KeyMismatch");
  CHECK(told);
  CHECK(site.agentObject("near")->spec.publicKey == site.box("near").key);
  site.loop.run(impostor.tasks.close());
}

TEST_CASE("while the link is cut facts grow old, nothing is written, and Ironic takes over only after the lease") {
  Site site;
  restingHost(site);
  site.cut("near");
  const auto cutAt = site.loop.clock.now();
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return site.bmc("10.0.0.1").powerState == "On"; }, 2min));
  CHECK(site.loop.clock.now() - cutAt >= 15s);  // the lease has run out first
  CHECK(site.resets("10.0.0.1") == 0);          // Ironic did it
  REQUIRE(site.until([&] { return site.settled("a"); }, 2min));
  site.mend("near");
  const auto back = site.loop.clock.now();
  site.pass(10s);
  CHECK(site.agentObject("near")->status.connected);
  CHECK(site.loop.clock.now() - back <= 10s);
  site.setOnline("a", false);
  REQUIRE(site.until([&] { return !site.host("a")->status.poweredOn; }, 30s));
  CHECK(site.resets("10.0.0.1") == 1);  // the agent again
}

TEST_CASE("with agents alone a cut link makes power unknown, and known again within ten seconds of the return") {
  Site site(Site::With::fixture);
  site.serveAll("near");
  site.addHost("a", "10.0.0.1", false);
  REQUIRE(site.until([&] { return site.settled("a"); }));
  site.bmc("10.0.0.1").powerState = "Off";
  site.cut("near");
  site.pass(1min);
  CHECK(site.box("near").life->agent.hosts() == 1);  // it goes on reading
  site.mend("near");
  REQUIRE(site.until([&] { return site.powerKnown("a") == "True"; }, 10s));
}

TEST_CASE("a BMC that falls silent makes power unknown, and power is never changed on an old fact") {
  Site site;
  restingHost(site);
  site.bmc("10.0.0.1").instead = [](const auto&) { return net::HttpResponse{.status = 0}; };
  REQUIRE(site.until([&] { return site.powerKnown("a") == "Unknown"; }, 40s));
  CHECK_FALSE(site.host("a")->status.poweredOn);  // keeps its last value
  site.setOnline("a", true);
  site.pass(30s);
  CHECK(site.resets("10.0.0.1") == 0);
  site.bmc("10.0.0.1").instead = nullptr;
  REQUIRE(site.until([&] { return site.settled("a"); }, 10min));
  CHECK(site.resets("10.0.0.1") == 1);
}

TEST_CASE("before Ironic works the agent has let go, and afterwards it gets its right back") {
  Site site;
  restingHost(site);
  site.patchHost(
      "a",
      R"({"spec":{"online":true,"image":{"url":"http://i/a.raw","checksum":"http://i/s","checksumType":"sha256","format":"raw"}}})");
  REQUIRE(site.until([&] { return site.state("a") == "provisioned"; }, 1h));
  site.pass(10s);
  const int before = site.resets("10.0.0.1");
  site.setOnline("a", false);
  REQUIRE(site.until([&] { return !site.host("a")->status.poweredOn; }, 1min));
  CHECK(site.resets("10.0.0.1") == before + 1);
}

TEST_CASE("a new coordinator refuses no time: facts at once, commands within ten seconds, none twice") {
  Site site;
  restingHost(site);
  site.setOnline("a", true);
  const bool midway = GENERATE(true, false);
  if (midway)
    REQUIRE(site.until([&] { return site.resets("10.0.0.1") == 1; }, 30s));
  else
    REQUIRE(site.until([&] { return site.settled("a"); }, 30s));
  site.killCoordinator();
  site.pass(3s);
  site.startCoordinator();
  REQUIRE(site.until([&] { return site.settled("a"); }, 10s));
  CHECK(site.resets("10.0.0.1") == 1);
  site.pass(5s);
  site.setOnline("a", false);
  REQUIRE(site.until([&] { return !site.host("a")->status.poweredOn; }, 10s));
  CHECK(site.resets("10.0.0.1") == 2);
  CHECK(site.box("near").journal.repeated == 0);
}

TEST_CASE("an agent that dies anywhere in a command leaves nothing done twice") {
  Site site;
  restingHost(site);
  auto& box = site.box("near");
  Alive alive = box.life->alive;
  const auto where = GENERATE(as<std::string>{}, "before the journal", "after the journal", "after the write");
  INFO(where);
  const auto die = [&] { *alive = false; };
  if (where == "before the journal") box.journal.beforeBegin = die;
  if (where == "after the journal") box.journal.afterBegin = die;
  if (where == "after the write") site.onAgentWrite = [&](const std::string&) { die(); };
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return !*alive; }, 1min));
  box.journal.beforeBegin = box.journal.afterBegin = nullptr;
  site.onAgentWrite = nullptr;
  site.killAgent("near");
  site.pass(1s);
  site.startAgent("near");
  REQUIRE(site.until([&] { return site.settled("a"); }, 20s));
  CHECK(site.resets("10.0.0.1") == 1);
  CHECK(box.journal.repeated == 0);
}

TEST_CASE("two agents of one network share its hosts, and one takes over when the other is gone") {
  constexpr int all = 12;  // their uids are drawn: fewer may all fall to one
  Site site;
  site.serveAll("left");
  site.serveAll("right");
  for (int i = 1; i <= all; ++i) site.addHost(fmt::format("h{}", i), fmt::format("10.0.0.{}", i), false);
  for (int i = 1; i <= all; ++i) REQUIRE(site.until([&] { return site.settled(fmt::format("h{}", i)); }));
  auto& left = site.box("left").life->agent;
  auto& right = site.box("right").life->agent;
  REQUIRE(site.until([&] { return left.hosts() + right.hosts() == all; }, 1min));
  CHECK(left.hosts() > 0);
  CHECK(right.hosts() > 0);
  SECTION("killed") {
    site.killAgent("left");
    REQUIRE(site.until([&] { return right.hosts() == all; }, 30s));
  }
  SECTION("drained") {
    site.approve("left", R"({"drain":true})");
    REQUIRE(site.until([&] { return right.hosts() == all && left.hosts() == 0; }, 30s));
  }
  for (int i = 1; i <= all; ++i) site.setOnline(fmt::format("h{}", i), true);
  for (int i = 1; i <= all; ++i) REQUIRE(site.until([&] { return site.settled(fmt::format("h{}", i)); }, 1min));
  for (int i = 1; i <= all; ++i) CHECK(site.resets(fmt::format("10.0.0.{}", i)) == 1);
}

TEST_CASE("a changed Secret reaches the agent at once; the old password is not tried any more") {
  Site site;
  restingHost(site);
  auto& bmc = site.bmc("10.0.0.1");
  bmc.password = "changed";
  bmc.expireSessions();
  site.setPassword("a", "changed");
  site.pass(10s);
  CHECK(site.powerKnown("a") == "True");
  CHECK(bmc.logins <= 3);
}

TEST_CASE("a deleted host is forgotten by its agent") {
  Site site;
  restingHost(site);
  site.removeHost("a");
  REQUIRE(site.until([&] { return site.box("near").life->agent.hosts() == 0; }));
}

TEST_CASE("an agent that refuses every command is asked again after a pause, and the user is told why") {
  Site site;
  restingHost(site);
  auto& journal = site.box("near").journal;
  int asked = 0;
  journal.beforeBegin = [&] {
    ++asked;
    throw base::Error("No space left on device");
  };
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return site.host("a")->status.errorType == "power management error"; }, 1min));
  CHECK_THAT(site.host("a")->status.errorMessage,
             Catch::StartsWith("PowerOn operation waits: the agent refuses the command: ") &&
                 Catch::Contains("No space left on device"));
  CHECK(coordinator::host::onlyWaits(*site.host("a")));  // the operating system is still to be asked before a power-off
  const auto told = site.host("a")->metadata.resourceVersion;
  asked = 0;
  site.pass(5min);
  CHECK(asked > 10);
  CHECK(asked <= 25);  // every 15 s, a fifth less at times
  CHECK(site.host("a")->metadata.resourceVersion == told);
  journal.beforeBegin = nullptr;
  CHECK(site.until([&] { return site.settled("a"); }, 30s));
}

TEST_CASE("a refused power change is tried again soon after the reason is gone") {  // a server without input power
  Site site;
  restingHost(site);
  auto& bmc = site.bmc("10.0.0.1");
  bmc.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method != "POST" || request.target.find("Reset") == std::string::npos) return std::nullopt;
    return net::HttpResponse{.status = 400, .headers = {}, .body = R"({"error":{"message":"no input power"}})"};
  };
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return site.host("a")->status.errorType == "power management error"; }, 30s));
  CHECK(site.host("a")->status.errorMessage.find("no input power") != std::string::npos);
  const auto told = site.host("a")->metadata.resourceVersion;
  site.pass(3min);
  CHECK(site.host("a")->metadata.resourceVersion == told);  // one refusal more is no news
  bmc.instead = nullptr;
  CHECK(site.until([&] { return site.settled("a"); }, 30s));
}

TEST_CASE("a host that was told to switch on and stays off is told of long before that is given up") {
  Site site;
  restingHost(site);
  auto& bmc = site.bmc("10.0.0.1");
  bmc.obeys = false;  // somebody pulls the cord before anybody has seen it on
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return site.resets("10.0.0.1") == 1; }, 10s));
  REQUIRE(site.until([&] { return site.host("a")->status.errorType == "power management error"; }, 25s));
  CHECK(site.host("a")->status.errorMessage.find("the BMC still says Off") != std::string::npos);
  const auto told = site.host("a")->metadata.resourceVersion;
  site.pass(1min);
  CHECK(site.host("a")->metadata.resourceVersion == told);
  CHECK(site.resets("10.0.0.1") == 1);
  bmc.powerState = "On";  // it follows in the end
  CHECK(site.until([&] { return site.settled("a"); }, 10s));
  CHECK(site.resets("10.0.0.1") == 1);
}

TEST_CASE("a powered-on host that an agent serves is switched off and deleted") {
  Site site;
  restingHost(site);
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return site.settled("a"); }, 30s));
  site.removeHost("a");
  CHECK(site.until([&] { return site.ironic.nodeCount() == 0; }, 5min));
  CHECK(site.bmc("10.0.0.1").powerState == "Off");
  CHECK(site.until([&] { return site.box("near").life->agent.hosts() == 0; }, 1min));
}

TEST_CASE("a slow soft power-off is asked for once, whoever dies in the middle") {
  Site site;
  restingHost(site);
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return site.settled("a"); }, 30s));
  auto& bmc = site.bmc("10.0.0.1");
  bmc.obeys = false;  // the operating system takes its time
  site.setOnline("a", false);
  REQUIRE(site.until([&] { return site.resets("10.0.0.1") == 2; }, 30s));
  const auto who = GENERATE(as<std::string>{}, "agent", "coordinator", "both");
  INFO(who);
  if (who != "coordinator") site.killAgent("near");
  if (who != "agent") site.killCoordinator();
  site.pass(1s);
  if (who != "coordinator") site.startAgent("near");
  if (who != "agent") site.startCoordinator();
  site.pass(60s);
  CHECK(site.resets("10.0.0.1") == 2);
  bmc.powerState = "Off";
  CHECK(site.until([&] { return site.settled("a"); }, 15s));
  CHECK(site.resets("10.0.0.1") == 2);
  CHECK(site.box("near").journal.repeated == 0);
}

TEST_CASE("a host that must not be off is restarted by its agent, once") {
  Site site;
  restingHost(site);
  site.setOnline("a", true);
  site.patchHost("a", R"({"spec":{"disablePowerOff":true}})");
  REQUIRE(site.until([&] { return site.settled("a"); }, 30s));
  site.pass(5s);
  auto& bmc = site.bmc("10.0.0.1");
  const bool softly = GENERATE(true, false);  // the BMC offers GracefulRestart
  if (softly)
    bmc.documents["/redfish/v1/Systems/1"] =
        R"({"Id":"1","PowerState":"On","Actions":{"#ComputerSystem.Reset":{"target":)"
        R"("/redfish/v1/Systems/1/Actions/ComputerSystem.Reset"}}})";
  bmc.journal.clear();
  site.patchHost("a", R"({"metadata":{"annotations":{"reboot.metal3.io":"{\"mode\":\"soft\",\"force\":true}"}}})");
  const auto asksForReboot = [&] { return site.host("a")->metadata.annotations.contains("reboot.metal3.io"); };
  REQUIRE(site.until(asksForReboot, 1s));
  REQUIRE(site.until([&] { return !asksForReboot(); }, 1min));
  site.pass(1min);
  REQUIRE(bmc.journal.size() == 1);
  CHECK(bmc.journal[0].find(softly ? "GracefulRestart" : "ForceRestart") != std::string::npos);
  CHECK(site.host("a")->status.poweredOn);
}

TEST_CASE("numbered heartbeats: after one that was lost the coordinator asks after the commands under way") {
  Fleet fleet(1);
  fleet.approve();
  REQUIRE(fleet.clock.advanceUntil([&] { return fleet.service.grants().canCommand(fleet.uid(0)); }, 60s));
  REQUIRE(fleet.service.commands().send(fleet.uid(0), bmc::PowerAction::on));
  const auto beat = [&](std::int64_t seq) {
    fleet.say(wire::Heartbeat{.seq = seq, .stampMs = fleet.stamp(), .hosts = 1, .term = AgentStage::term});
    fleet.clock.settle();
  };
  beat(1), beat(2);
  CHECK(fleet.queries == 0);
  beat(4);
  CHECK(fleet.queries == 1);
  beat(5);
  CHECK(fleet.queries == 1);
  beat(0), beat(0), beat(9);  // of version 1, and the first that is counted
  CHECK(fleet.queries == 1);
}
