// A ProvisioningAgent that the API server holds and cannot read counts as present.
#include "tests/coordinator/agents/talker.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

TEST_CASE("while an agent's object cannot be read, nobody gets a right before that agent's leases have run out") {
  Site site(Site::With::fixture);
  site.serveAll("near");
  site.addHost("a", "10.0.0.1", false);
  REQUIRE(site.until([&] { return site.settled("a"); }));
  site.killCoordinator();
  site.setOnline("a", true);
  site.pass(30s);
  site.unreadable.add("provisioningagents.ingot.dev", {"", "other"});
  site.startCoordinator();
  const auto back = site.loop.clock.now();
  REQUIRE(site.until([&] { return site.resets("10.0.0.1") > 0; }, 1min));
  CHECK(site.loop.clock.now() - back >= 17s);
}

TEST_CASE("the name of an agent whose object cannot be read is not given to a stranger") {
  Site site(Site::With::fixture);
  site.killCoordinator();
  site.unreadable.add("provisioningagents.ingot.dev", {"", "near"});
  site.startCoordinator();
  site.pass(1s);
  Talker stranger(site, "near", site.box("near").key);
  stranger.hello();
  const auto answer = stranger.welcome();
  CHECK(answer.state == "refused");
  CHECK(answer.reason == "the ProvisioningAgent near is stored but cannot be read; make it anew with this agent's key");
  site.pass(20s);
  CHECK_FALSE(site.agentObject("near"));
}
