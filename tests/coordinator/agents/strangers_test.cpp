// Agents that nobody has approved.
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
  CHECK(site.until([&] { return site.box("near").life->agent.hosts() == 1; }, 1min));
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
