// Agents that nobody has approved, and an approved one that speaks of hosts that are not its own.
#include "coordinator/agents/strangers.hpp"
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

// An agent that is approved for a network without host "a", or for hosts that no other agent serves.
struct Rogue : Talker {
  explicit Rogue(Site& where, const std::string& networks = R"(["192.168.0.0/16"])")
      : Talker(where, "far", where.box("far").key), site(where) {
    hello();
    site.approve("far", fmt::format(R"({{"networks":{}}})", networks));
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

// Keeps what the link is told of who is known.
class AskedLink final : public wire::CoordinatorLink {
 public:
  using IsKnown = std::function<bool(const std::string& publicKey)>;
  AskedLink(std::unique_ptr<wire::CoordinatorLink> inner, IsKnown& known) : inner_(std::move(inner)), known_(known) {}
  base::Task<wire::Incoming> receive() override { return inner_->receive(); }
  bool send(const std::string& peer, std::string bytes) override { return inner_->send(peer, std::move(bytes)); }
  std::string endpoint() const override { return inner_->endpoint(); }
  void admit(std::function<bool(const std::string& publicKey)> judge) override { inner_->admit(std::move(judge)); }
  void setKnown(IsKnown known) override { known_ = std::move(known); }

 private:
  std::unique_ptr<wire::CoordinatorLink> inner_;
  IsKnown& known_;
};

}  // namespace

TEST_CASE("the link knows whose connections it is to keep: of agents that are approved") {
  AskedLink::IsKnown known;
  Site site;
  site.killCoordinator();
  site.aroundCoordinator = [&](CoordinatorWorld& world) {
    world.link = [&](std::unique_ptr<wire::CoordinatorLink> inner) {
      return std::make_unique<AskedLink>(std::move(inner), known);
    };
  };
  site.startCoordinator();
  const auto pending = stranger(site, 1);
  pending->hello();
  site.serveAll("near");
  site.pass(1s);
  REQUIRE(known);
  CHECK(known(site.box("near").key));
  CHECK_FALSE(known(fmt::format("{:040}", 1)));
  site.killCoordinator();
  CHECK_FALSE(known);  // it would ask who has gone
}

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
  CHECK(site.eventMessages("default", "ForeignResult") ==
        std::vector<std::string>{"the agent told of a command on host metal/a that it was not given; what it "
                                 "says of hosts that it does not serve is not believed"});
}

TEST_CASE("what a stranger says of itself is written seldom, and cut") {
  Site site(Site::With::fixture);
  site.pass(1s);
  const auto liar = stranger(site, 1);
  int writes = 0;
  site.network.beforeRequest = [&writes](const net::ClientOptions&, const net::HttpRequest& request) {
    if (request.method == "PATCH" && request.target.find("/provisioningagents/") != std::string::npos) ++writes;
  };
  const std::string large(1'000, 'x');
  for (int second = 0; second < 60; ++second) {
    liar->say(wire::Hello{.name = liar->name,
                          .software = fmt::format("{}-{}", second, large),
                          .boot = fmt::format("{}-{}", second, large)});
    site.pass(1s);
  }
  site.network.beforeRequest = {};
  const auto status = site.agentObject(liar->name).value().status;
  CHECK(status.connected);
  CHECK_FALSE(status.fingerprint.empty());
  CHECK(status.version.size() == 128);
  CHECK(status.bootID.size() == 128);
  CHECK(writes >= 1);
  CHECK(writes <= 3);  // one at once, then one a minute
}

TEST_CASE("a message of a stranger that is larger than any of theirs needs to be is not read") {
  Site site(Site::With::fixture);
  site.pass(1s);
  const auto liar = stranger(site, 1);
  liar->say(wire::Hello{.name = liar->name, .software = std::string(5'000, 'x'), .boot = "boot"});
  site.pass(20s);
  CHECK_FALSE(site.agentObject(liar->name));
  liar->hello();
  CHECK(site.until([&] { return site.agentObject(liar->name).has_value(); }, 20s));
}

TEST_CASE("strangers that never stop talking are answered seldom, and delay nobody") {
  Site site(Site::With::fixture);
  site.serveAll("near");
  site.addHost("a", "10.0.0.1", false);
  REQUIRE(site.until([&] { return site.settled("a"); }));
  const auto liar = stranger(site, 5000);
  liar->hello();  // from now on each heartbeat would be answered
  const auto strangers = crowd(site, 1000);
  for (int i = 0; i < 2000; ++i) liar->say(wire::Heartbeat{.stampMs = i + 1, .term = site.term});
  for (int turn = 0; turn < 30; ++turn) {
    for (const auto& one : strangers) one->say(wire::Heartbeat{.stampMs = turn + 1, .term = site.term});
    if (turn == 5) site.setOnline("a", true);
    site.pass(100ms);
  }
  CHECK(site.until([&] { return site.resets("10.0.0.1") == 1; }, 2s));
  int answers = 0;
  const auto count = [&liar, &answers]() -> base::Task<void> {
    for (;; ++answers) co_await liar->link->receive();
  };
  CHECK_THROWS_AS(site.loop.run(base::withTimeout(site.runtime.clock, 1s, "answers", count())), base::TimedOut);
  CHECK(answers <= 20);  // of more than 2000
}

TEST_CASE("keys that were thrown away make room for an agent that means it, but for those that somebody has touched") {
  Site site(Site::With::fixture);
  site.pass(1s);
  std::vector<std::unique_ptr<Talker>> thrown;
  for (int i = 0; i < 100; ++i) {
    thrown.push_back(stranger(site, i));
    thrown.back()->hello();
    site.pass(9s);  // then it is gone
  }
  REQUIRE(site.until([&] { return site.agentObject("stranger-99").has_value(); }, 1min));
  site.changeAgent("stranger-0", R"({"approved":false})");  // revoked: what it may serve is on record
  Talker real(site, "real", site.box("real").key);
  const auto isRecorded = [&] {
    real.hello();
    return site.agentObject("real").has_value();
  };
  CHECK_FALSE(site.until(isRecorded, 20min));
  CHECK(site.until(isRecorded, 1h));
  CHECK(site.agentObject("stranger-0"));
  CHECK_FALSE(site.agentObject("stranger-1"));
  CHECK(site.agentObject("stranger-2"));
}

TEST_CASE("what is said at a time is bounded for one key, for all, and in the number of keys") {
  coordinator::agents::Strangers strangers(
      {.mostKeys = 3, .perKey = 1s, .burstPerKey = 2, .perMessage = 100ms, .burst = 5});
  const base::MonoTime start{1h};
  const auto heard = [&](const std::string& key, base::MonoTime now) { return strangers.admitsMessage(key, 10, now); };
  CHECK(heard("a", start));
  CHECK(heard("a", start));
  CHECK_FALSE(heard("a", start));
  CHECK(heard("a", start + 1s));
  CHECK_FALSE(heard("a", start + 1s));
  CHECK(heard("b", start + 1s));
  CHECK(heard("c", start + 1s));
  CHECK_FALSE(heard("d", start + 1s));  // no room for another key
  CHECK(heard("d", start + 10s));       // those before it have been silent
  int together = 0;
  coordinator::agents::Strangers many({.burst = 5});
  for (int i = 0; i < 20; ++i) together += many.admitsMessage(std::to_string(i), 10, start) ? 1 : 0;
  CHECK(together == 5);
}

TEST_CASE("what a stranger says of itself cannot pass for another column, nor hide one") {
  Site site(Site::With::fixture);
  site.pass(1s);
  const auto liar = stranger(site, 1);
  liar->say(wire::Hello{
      .name = liar->name, .software = "0.1   SHA256:good\n\x1b[8m\u009b\u202e", .boot = "boot", .stampMs = 1});
  site.pass(20s);
  CHECK(site.agentObject(liar->name).value().status.version == "0.1???SHA256:good??[8m?????");
}

namespace {

// Agent "near" serves the network of host "a". The coordinator is the second one.
struct ServedSite : Site {
  explicit ServedSite(bool online) : Site(With::fixture) {
    startAgent("near");
    approve("near", R"({"networks":["10.0.0.0/8"]})");
    addHost("a", "10.0.0.1", online);
    REQUIRE(until([&] { return settled("a") && host("a")->status.poweredOn == online; }));
    killCoordinator();
    startCoordinator();
    pass(15s);
  }
  // Reports each second the outcome of another command of an earlier coordinator.
  void claims(Rogue& rogue, const std::string& outcome, bmc::PowerAction action, int seconds) {
    for (int second = 0; second < seconds; ++second) {
      rogue.say(wire::Heartbeat{.stampMs = ++stamp, .term = term});
      rogue.claim({term - 1, 1000 + stamp, 1}, outcome, action);
      pass(1s);
    }
  }

  std::int64_t stamp = 100;
};

}  // namespace

TEST_CASE("what an agent says of the time before us holds up nobody when that time is over") {
  ServedSite site(true);
  Rogue rogue(site, "[]");
  site.pass(12min);
  rogue.hello();
  site.claims(rogue, GENERATE("running", "unknown"), bmc::PowerAction::softOff, 1);
  site.setOnline("a", false);
  CHECK(site.until([&] { return !site.host("a")->status.poweredOn; }, 1min));
  CHECK(site.resets("10.0.0.1") == 2);
}

TEST_CASE("a restart that is asked for now was not done by a coordinator before us, whoever says so") {
  ServedSite site(true);
  site.patchHost("a", R"({"spec":{"disablePowerOff":true}})");
  Rogue rogue(site, "[]");
  const int before = site.resets("10.0.0.1");
  const auto outcome = GENERATE("done", "unknown");
  site.bmc("10.0.0.1").instead = [](const auto&) { return net::HttpResponse{.status = 503}; };
  site.pass(2min);
  site.patchHost("a", R"({"metadata":{"annotations":{"reboot.metal3.io":"{\"force\":true}"}}})");
  rogue.hello();
  site.claims(rogue, outcome, bmc::PowerAction::hardRestart, 30);
  site.bmc("10.0.0.1").instead = nullptr;
  CHECK(site.until([&] { return !site.host("a")->metadata.annotations.contains("reboot.metal3.io"); }));
  CHECK(site.resets("10.0.0.1") == before + 1);
}
