// Agents that nobody has approved, and an approved one that speaks of hosts that are not its own.
#include "coordinator/agents/lease_record.hpp"
#include "tests/coordinator/agents/resting_host.hpp"
#include "tests/coordinator/agents/talker.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<Talker> stranger(Site& site, int number) {
  return std::make_unique<Talker>(site, fmt::format("stranger-{}", number), fmt::format("{:040}", number));
}

std::vector<std::unique_ptr<Talker>> crowd(Site& site, int size) {
  std::vector<std::unique_ptr<Talker>> all;
  for (int i = 0; i < size; ++i) {
    all.push_back(stranger(site, i));
    all.back()->hello();
  }
  site.pass(1s);
  return all;
}

// Approved for a network in which host "a" is not.
struct Rogue : Talker {
  explicit Rogue(Site& where) : Talker(where, "far", where.box("far").key), site(where) {
    hello();
    site.approve("far", R"({"networks":["192.168.0.0/16"]})");
    hello();
    const auto onRecord = [&] {
      const auto finalizers = site.agentObject("far").value().metadata.finalizers;
      return std::ranges::find(finalizers, coordinator::agents::leasesFinalizer) != finalizers.end();
    };
    for (int i = 0; i < 10 && !onRecord(); ++i) {
      say(wire::Heartbeat{.stampMs = i + 1, .term = site.term});
      site.pass(1s);
    }
    if (!onRecord()) throw std::runtime_error("the agent is not on record");
  }
  void claim(wire::Token token, const std::string& outcome, bmc::PowerAction action) {
    say(wire::CommandResult{.host = site.uid("a"),
                            .token = token,
                            .outcome = outcome,
                            .action = std::string(bmc::toText(action)),
                            .error = "forged"});
  }

  Site& site;
};

}  // namespace

TEST_CASE("an approved agent gets in, however many strangers came before it") {
  Site site;
  site.serveAll("near");
  site.addHost("a", "10.0.0.1", false);
  site.killCoordinator();
  site.cut("near");
  site.startCoordinator();
  site.pass(1s);
  const auto strangers = crowd(site, 2000);
  site.mend("near");
  const auto served = [&] { return site.box("near").life->agent.hosts() == 1; };
  for (int second = 0; second < 60 && !served(); ++second) {
    for (int i = 0; i < 64; ++i) strangers.at(i)->hello();  // nobody falls silent
    site.pass(1s);
  }
  CHECK(served());
}

TEST_CASE("a stranger too many is told so, and takes the place of one that has fallen silent") {
  Site site;
  site.pass(1s);
  const auto strangers = crowd(site, 64);
  CHECK(strangers.back()->welcome().state == "pending");
  const auto late = stranger(site, 64);
  late->hello();
  const auto refused = late->welcome();
  CHECK(refused.state == "refused");
  CHECK(refused.reason ==
        "64 agents that nobody has approved are connected already: approve or stop some of them, or record this one's "
        "key in a ProvisioningAgent that is approved");
  site.pass(10s);
  late->hello();
  CHECK(late->welcome().state == "pending");
}

TEST_CASE("what a stranger says of earlier commands keeps nobody waiting") {
  Site site(Site::With::fixture);
  site.serveAll("near");
  site.addHost("a", "10.0.0.1", false);
  REQUIRE(site.until([&] { return site.settled("a"); }));
  site.killCoordinator();
  site.setOnline("a", true);
  site.cut("near");
  site.pass(30s);
  site.startCoordinator();
  site.pass(1s);
  const auto liar = stranger(site, 1);
  liar->hello();
  liar->say(wire::Heartbeat{.stampMs = 1, .term = site.term, .acting = {site.uid("a")}});
  site.pass(100ms);
  site.mend("near");
  CHECK(site.until([&] { return site.resets("10.0.0.1") == 1; }, 10s));
}

TEST_CASE("what an agent says of another one's host is refused, and told once") {
  Site site(Site::With::fixture);
  site.serveAll("near");
  site.addHost("a", "10.0.0.1", false);
  REQUIRE(site.until([&] { return site.settled("a"); }));
  Rogue rogue(site);
  SECTION("the end of a command that is under way") {
    site.bmc("10.0.0.1").before = [&site](const net::ServerRequest& request) -> base::Task<void> {
      if (request.method == "POST") co_await site.runtime.clock.sleepFor(5s);
    };
    site.setOnline("a", true);
    site.pass(2s);
    for (std::int64_t lease = 1; lease < 20; ++lease)
      rogue.claim({site.term, lease, 1}, "failed", bmc::PowerAction::on);
    site.pass(1s);
    CHECK(site.host("a")->status.errorMessage.empty());
  }
  SECTION("a command that nobody gave") {
    rogue.claim({site.term, 1000, 1}, "running", bmc::PowerAction::softOff);
    site.pass(1s);
    site.setOnline("a", true);
  }
  SECTION("a command of an earlier coordinator") {
    site.killCoordinator();
    site.startCoordinator();
    site.pass(1s);
    rogue.hello();
    rogue.claim({site.term - 1, 1000, 1}, "running", bmc::PowerAction::softOff);
    rogue.claim({site.term - 1, 1000, 2}, "running", bmc::PowerAction::softOff);
    site.pass(1s);
    site.setOnline("a", true);
  }
  CHECK(site.until([&] { return site.settled("a") && site.host("a")->status.poweredOn; }, 30s));
  CHECK(site.resets("10.0.0.1") == 1);
  site.pass(2s);
  std::vector<std::string> told;
  for (const auto& event : site.events("default"))
    if (event.reason == "ForeignResult") told.push_back(event.message);
  CHECK(told == std::vector<std::string>{"the agent told of a command on host metal/a that it was not given; what it "
                                         "says of hosts that it does not serve is not believed"});
}
