// How soon the hosts of an agent that has gone are another's.
#include "tests/coordinator/agents/resting_host.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

// Two agents that may serve every host, and hosts enough that both serve some.
struct TwoAgents : Site {
  TwoAgents() : Site(With::agent) {
    serveAll("near");
    serveAll("far");
    for (const auto* name : {"a", "b", "c", "d", "e", "f"})
      addHost(name, fmt::format("10.0.0.{}", name[0] - 'a' + 1), false);
    for (const auto* name : {"a", "b", "c", "d", "e", "f"}) REQUIRE(until([&] { return settled(name); }));
    pass(20s);
  }
  int servedBy(const std::string& agent) { return static_cast<int>(box(agent).life->agent.hosts()); }
  bool allActBy(const std::string& agent) {
    for (const auto* name : {"a", "b", "c", "d", "e", "f"})
      if (holders(name) != 1) return false;
    return servedBy(agent) == 6;
  }
};

}  // namespace

TEST_CASE("an agent that is killed loses its hosts to another within 20 s") {
  TwoAgents site;
  REQUIRE(site.servedBy("near") > 0);
  REQUIRE(site.servedBy("far") > 0);
  site.killAgent("near");
  CHECK(site.until([&] { return site.allActBy("far"); }, 20s));
}

TEST_CASE("an agent that is stopped hands its hosts over within 2 s") {
  TwoAgents site;
  REQUIRE(site.servedBy("near") > 0);
  site.stopAgent("near");
  CHECK(site.until([&] { return site.allActBy("far"); }, 2s));
}

TEST_CASE("the power of a host stays known while the only agent that may serve it is started anew") {
  Site site(Site::With::agent);
  restingHost(site);
  bool wasUnknown = false;
  const auto watch = [&] {
    wasUnknown = wasUnknown || site.powerKnown("a") != "True";
    return false;
  };
  site.stopAgent("near");
  static_cast<void>(site.until(watch, 2s));
  site.startAgent("near");
  static_cast<void>(site.until(watch, 30s));
  CHECK_FALSE(wasUnknown);
  CHECK(site.holders("a") == 1);
}
