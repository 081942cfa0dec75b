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

namespace {

// A host that is on, deleted, and whose new node Ironic cannot verify: nothing registers it any more.
void deletedUnregistered(Site& site) {
  restingHost(site);
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return site.settled("a") && site.host("a")->status.poweredOn; }));
  site.pass(30s);
  site.ironic.loseDatabase();
  site.removeHost("a");
}

bool leavesUnverified(Site& site) {
  return site.until(
      [&] {
        if (site.ironic.has("metal~a") && site.ironic.state("metal~a") == ironic::State::verifying)
          site.ironic.breakNext("metal~a", ironic::Verb::manage, "no answer");
        return site.box("near").life->agent.hosts() == 0;
      },
      30min);
}

bool isReset(const net::ServerRequest& request) { return request.path().ends_with("ComputerSystem.Reset"); }

}  // namespace

TEST_CASE("a host that cannot be registered is not forgotten while its BMC takes its time to switch it off") {
  Site site;
  deletedUnregistered(site);
  std::optional<base::MonoTime> asked;
  FakeRedfish& bmc = site.bmc("10.0.0.1");
  bmc.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (asked && site.loop.clock.now() - *asked >= 20s) bmc.powerState = "Off";
    if (!isReset(request)) return std::nullopt;
    if (!asked) asked = site.loop.clock.now();
    return net::HttpResponse{.status = 204};
  };
  CHECK(leavesUnverified(site));
  CHECK(asked.has_value());
  CHECK(bmc.powerState == "Off");
  CHECK(std::ranges::count(site.eventReasons("metal"), "PowerOffSkipped") == 0);
}

TEST_CASE("a host that cannot be registered is switched off by a BMC that refused it once") {
  Site site;
  deletedUnregistered(site);
  int refused = 0;
  FakeRedfish& bmc = site.bmc("10.0.0.1");
  bmc.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!isReset(request) || refused++ > 0) return std::nullopt;
    return net::HttpResponse{.status = 400};
  };
  CHECK(leavesUnverified(site));
  CHECK(refused > 1);
  CHECK(bmc.powerState == "Off");
  CHECK(std::ranges::count(site.eventReasons("metal"), "PowerOffSkipped") == 0);
}
