// A coordinator that comes back after every lease has run out: who says that nobody acts (docs/decisions/0006).
#include "coordinator/agents/lease_record.hpp"
#include "tests/coordinator/agents/site.hpp"
#include "tests/support/stalling_clock.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

constexpr auto awayLong = 30s;
constexpr auto lease = 17s;  // and margin

struct Plant : Site {
  explicit Plant(std::initializer_list<std::string> agents) : Site(With::fixture) {
    for (const auto& name : agents) serveAll(name);
    addHost("a", "10.0.0.1", false);
    if (!until([&] { return settled("a"); })) throw std::runtime_error("the host did not settle");
    pass(5s);
  }
  void leaveWithWish(base::Duration away) {
    killCoordinator();
    setOnline("a", true);
    pass(away);
  }
  bool isOnRecord(const std::string& name) {
    const auto agent = agentObject(name);
    return agent && std::ranges::find(agent->metadata.finalizers, coordinator::agents::leasesFinalizer) !=
                        agent->metadata.finalizers.end();
  }
  base::Duration firstCommand() {
    const auto back = loop.clock.now();
    if (!until([&] { return resets("10.0.0.1") > 0; }, 1min)) throw std::runtime_error("no command came");
    return loop.clock.now() - back;
  }
  // The agent that serves the host, and the other agent.
  std::pair<std::string, std::string> byService() {
    return box("left").life->agent.hosts() > 0 ? std::pair{"left", "right"} : std::pair{"right", "left"};
  }
};

}  // namespace

TEST_CASE("a coordinator that was away for longer than a lease commands as soon as all agents have spoken") {
  const auto away = GENERATE(values<base::Duration>({3s, 16s, 30s, 600s}));
  Plant site({"left", "right"});
  site.leaveWithWish(away);
  site.startCoordinator();
  CHECK(site.firstCommand() < 5s);
  REQUIRE(site.until([&] { return site.settled("a"); }, 5s));
}

TEST_CASE("while one agent that may hold a lease is silent, nobody is commanded before that lease has run out") {
  Plant site({"left", "right"});
  const auto [serving, other] = site.byService();
  site.killCoordinator();
  site.setOnline("a", true);
  SECTION("because it is dead") { site.killAgent(other); }
  SECTION("because its link is cut") { site.cut(other); }
  SECTION("and its object was deleted meanwhile") {
    site.cut(other);
    site.removeAgent(other);
    CHECK(site.agentObject(other));  // it is not gone before somebody has waited for it
  }
  SECTION("and it was refused meanwhile") {
    site.cut(other);
    site.changeAgent(other, R"({"approved":false})");
  }
  site.pass(awayLong);
  site.startCoordinator();
  const auto took = site.firstCommand();
  CHECK(took >= lease);
  CHECK(took < lease + 5s);
  CHECK(site.holders("a") == 1);
}

TEST_CASE("the one agent that served does not wait for itself, but for what it had under way") {
  Plant site({"near"});
  auto& bmc = site.bmc("10.0.0.1");
  bmc.before = [&site](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method == "POST") co_await site.runtime.clock.sleepFor(8s);  // it is slow to answer
  };
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return site.box("near").journal.begun == 1; }, 10s));
  site.pass(1s);
  site.killCoordinator();
  site.pass(1s);
  site.setOnline("a", false);
  site.startCoordinator();
  site.pass(5s);
  CHECK(site.resets("10.0.0.1") <= 1);
  bmc.before = nullptr;
  REQUIRE(site.until([&] { return site.settled("a"); }, 20s));
  CHECK(site.resets("10.0.0.1") == 2);
  CHECK(site.box("near").journal.repeated == 0);
}

TEST_CASE("a process that cannot prove that the one before it has ended waits for that one's leases") {
  Plant site({"near"});
  auto& box = site.box("near");
  const bool newCoordinator = GENERATE(false, true);
  if (newCoordinator) {
    site.killCoordinator();
    site.pass(awayLong);
  }
  site.killAgent("near");
  const bool proven = GENERATE(true, false);
  if (!proven) box.journal.boots.clear();  // its folder is a copy
  if (newCoordinator) site.startCoordinator();
  site.startAgent("near");
  site.setOnline("a", true);
  const auto took = site.firstCommand();
  INFO("proven " << proven << ", new coordinator " << newCoordinator);
  CHECK((took < 8s) == proven);
  CHECK((took >= 10s) == !proven);  // the last renewal was not long ago
  std::string told;
  for (const auto& event : site.events("default"))
    if (event.reason == "ProcessReplaced") told = event.message;
  const bool tells = told.find(
                         "the agent came back as another process, which cannot prove that the one before it has "
                         "ended; what that one served waits until its leases have run out") != std::string::npos;
  CHECK(tells == (!proven && !newCoordinator));
}

TEST_CASE("an agent that obeys only later coordinators is told of, with what to do") {
  Plant site({"near"});
  site.killCoordinator();
  site.startCoordinator();
  REQUIRE(site.until([&] { return site.box("near").journal.loadTerm() == 2; }, 10s));
  site.killCoordinator();
  site.term = 0;  // its data was lost
  const auto forget = json::parse(R"({"metadata":{"annotations":{"ingot.dev/term":null}}})");
  static_cast<void>(site.loop.run(site.user().patch<api::ProvisioningAgent>({"", "near"}, forget)));
  site.startCoordinator();
  site.pass(10s);
  CHECK(site.holders("a") == 0);
  std::string told;
  for (const auto& event : site.events("default"))
    if (event.reason == "LaterTermSeen") told = event.message;
  CHECK(told.find("the agent obeys only coordinators from term 2 on, and this is term 1") != std::string::npos);
  CHECK(told.find("kubectl annotate --overwrite provisioningagent near ingot.dev/term=2") != std::string::npos);
}

TEST_CASE("a coordinator whose Lease was deleted begins above every term that an agent may obey") {
  Plant site({"near"});
  const auto serves = [&](std::int64_t term) {
    return site.until([&] { return site.box("near").journal.loadTerm() == term && site.holders("a") == 1; }, 1min);
  };
  CHECK(site.leastTerm() == 2);
  site.killCoordinator();
  site.startCoordinator();
  REQUIRE(serves(2));
  site.killCoordinator();
  CHECK(site.leastTerm() == 3);
  site.term = 3;  // the next one's Lease begins with 4, and not with 0
  site.startCoordinator();
  CHECK(serves(4));
}

TEST_CASE("an agent stands on record while it may hold a lease, and no longer") {
  Plant site({"near"});
  CHECK(site.isOnRecord("near"));
  SECTION("deleted while it works: gone as soon as it has let go") {
    site.removeAgent("near");
    CHECK(site.until([&] { return !site.isOnRecord("near"); }, 5s));
    CHECK(site.until([&] { return site.agentObject("near") && !site.agentObject("near")->spec.approved; }, 10s));
  }
  SECTION("deleted while it is silent: gone when its lease has run out") {
    site.cut("near");
    site.removeAgent("near");
    const auto since = site.loop.clock.now();
    REQUIRE(site.until([&] { return !site.agentObject("near"); }, 1min));
    CHECK(site.loop.clock.now() - since >= 12s);  // the last renewal was not long ago
  }
  SECTION("silent for long: off the record, and on it again with its return") {
    site.cut("near");
    REQUIRE(site.until([&] { return !site.isOnRecord("near"); }, 1min));
    site.mend("near");
    REQUIRE(site.until([&] { return site.isOnRecord("near"); }, 10s));
    site.setOnline("a", true);
    CHECK(site.until([&] { return site.resets("10.0.0.1") == 1; }, 10s));
  }
  SECTION("never before it is approved") {
    site.startAgent("far");
    REQUIRE(site.until([&] { return site.agentObject("far").has_value(); }, 10s));
    site.pass(10s);
    CHECK_FALSE(site.isOnRecord("far"));
  }
}

TEST_CASE("a slow soft power-off is asked for once, though the host goes to another agent meanwhile") {
  Plant site({"left", "right"});
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return site.settled("a"); }, 30s));
  auto& bmc = site.bmc("10.0.0.1");
  bmc.obeys = false;  // the operating system takes its time
  site.setOnline("a", false);
  REQUIRE(site.until([&] { return site.resets("10.0.0.1") == 2; }, 30s));
  const auto [serving, other] = site.byService();
  const auto how = GENERATE(as<std::string>{}, "drained", "killed", "drained under a new coordinator");
  INFO(how);
  if (how == "drained under a new coordinator") site.killCoordinator();
  if (how == "killed") site.killAgent(serving);
  if (how != "killed") site.changeAgent(serving, R"({"drain":true})");
  if (how == "drained under a new coordinator") site.startCoordinator();
  REQUIRE(site.until([&] { return site.box(other).life->agent.hosts() == 1; }, 1min));
  site.pass(2min);
  CHECK(site.resets("10.0.0.1") == 2);
  SECTION("the reading proves it") {
    bmc.powerState = "Off";
    CHECK(site.until([&] { return site.settled("a"); }, 15s));
    CHECK(site.resets("10.0.0.1") == 2);
  }
  SECTION("or its time is over, and it is asked again") {
    CHECK(site.until([&] { return site.resets("10.0.0.1") == 3; }, 11min));
  }
}

TEST_CASE(
    "an agent that was paused past its leases refuses, and is asked again after a while, not as fast as the link is") {
  Site site(Site::With::fixture);
  StallingClock paused(site.loop.clock);
  int commands = 0;
  site.aroundAgent = [&](AgentBox&, AgentWorld& world) { world.clock = &paused; };
  site.onCoordinatorSending = [&](const std::string& bytes) {
    commands += bytes.find(R"("kind":"command")") != std::string::npos ? 1 : 0;
    if (commands > 100) throw std::runtime_error("it is asked again at once");
  };
  site.killCoordinator();
  site.startCoordinator();
  site.serveAll("near");
  site.addHost("a", "10.0.0.1", false);
  REQUIRE(site.until([&] { return site.settled("a"); }));
  site.pass(5s);
  paused.stall(1min);
  site.setOnline("a", true);
  CHECK(site.until([&] { return site.settled("a"); }, 1min));
  CHECK(commands >= 2);
  CHECK(commands <= 4);
  site.broken.clear();     // for a moment the two disagree on the time
  site.stopAgent("near");  // before its clock
}
