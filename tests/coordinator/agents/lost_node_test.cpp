// Hosts whose node Ironic has lost, and cannot be given a new one: what an agent can do is done all the same.
#include "tests/coordinator/agents/resting_host.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

TEST_CASE("a deleted host that Ironic has lost is switched off by the agent that serves it") {
  Site site;
  restingHost(site);
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return site.settled("a") && site.host("a")->status.poweredOn; }));
  site.pass(30s);
  site.ironic.loseDatabase();
  const int status = GENERATE(400, 500);
  site.ironic.failNext("POST", "/nodes", {.status = status}, 100000);
  site.removeHost("a");
  CHECK(site.until([&] { return site.box("near").life->agent.hosts() == 0; }, 15min));
  CHECK(site.bmc("10.0.0.1").powerState == "Off");
  CHECK(std::ranges::count(site.eventReasons("metal"), "PowerOffSkipped") == 0);
}
