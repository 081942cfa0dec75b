// The condition Healthy of a host, with what agents tell of it: never an old word for a fresh one.
#include "coordinator/agents/agent_health.hpp"
#include "kube/runtime/conditions.hpp"
#include "tests/coordinator/agents/agents_only.hpp"
#include "tests/coordinator/agents/parts.hpp"
#include "tests/coordinator/agents/resting_host.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

// "False CriticalError"; "" when it is not there.
std::string healthy(Site& site) {
  const auto* condition = kube::findCondition(site.host("a")->status.conditions, "Healthy");
  return condition == nullptr ? std::string() : condition->status + " " + condition->reason;
}

struct Telling : Parts {
  Telling() { serve(); }
  void tellHealth(const std::string& health, std::int64_t ageMs = 0) {
    auto facts = reading(++seq_, "On");
    facts.health = health;
    facts.healthAgeMs = ageMs;
    tell(facts);
  }
  std::string shown(bool isServed, const std::string& ofBackend) {
    return coordinator::agents::healthToShow(facts, isServed, uid(0), ofBackend);
  }

 private:
  std::int64_t seq_ = 0;
};

}  // namespace

TEST_CASE("what the agent that serves a host says of its health counts before its backend's word", "[health]") {
  Telling site;
  CHECK(site.shown(true, "OK") == "OK");
  CHECK(site.shown(true, "").empty());
  site.tellHealth("Critical");
  CHECK(site.shown(true, "OK") == "Critical");
  CHECK(site.shown(true, "") == "Critical");
  CHECK(site.shown(false, "OK") == "OK");
  CHECK(site.shown(false, "") == "Critical");
  CHECK(site.shown(false, "Unknown") == "Critical");  // while the next agent is on its way
}

TEST_CASE("a health that is too old is no health", "[health]") {
  Telling site;
  site.tellHealth("OK", 181'000);
  CHECK(site.shown(true, "OK") == "Unknown");  // of a BMC that is silent the backend knows no more
  CHECK(site.shown(true, "") == "Unknown");
  CHECK(site.shown(false, "") == "Unknown");
  CHECK(site.shown(false, "Warning") == "Warning");
}

TEST_CASE("an agent whose BMC tells no health says nothing of it", "[health]") {
  Telling site;
  SECTION("never read") { site.tellHealth("Unknown", -1); }
  SECTION("read, and none") { site.tellHealth("Unknown"); }
  CHECK(site.shown(true, "Critical") == "Critical");
  CHECK(site.shown(true, "").empty());
}

TEST_CASE("a host is looked at when its health becomes old, and when it is told again", "[health]") {
  Telling site;
  site.tellHealth("OK");
  for (std::int64_t i = 0; i < 170; i += 10) {  // its power is read all the while
    site.pass(10s);
    site.tellHealth("OK", (i + 10) * 1000);
  }
  site.facts.wakeExpired();
  site.woken.clear();
  site.pass(15s);
  site.tellHealth("OK", 186'000);
  site.facts.wakeExpired();
  CHECK(site.woken == std::vector<std::string>{"host-0"});
  site.facts.wakeExpired();
  CHECK(site.woken.size() == 1);
  site.tellHealth("OK");
  CHECK(site.woken.size() == 2);
}

TEST_CASE("without Ironic a host is as well as its BMC says, and nobody knows once that is silent", "[health]") {
  AgentsOnly site;
  site.machine().healthRollup = "OK";
  site.rest();
  REQUIRE(site.until([&] { return healthy(site) == "True Healthy"; }, 3min));
  site.machine().healthRollup = "Critical";
  REQUIRE(site.until([&] { return healthy(site) == "False CriticalError"; }, 2min));
  site.machine().instead = [](const auto&) { return net::HttpResponse{.status = 0}; };
  CHECK(site.until([&] { return healthy(site) == "Unknown Unknown"; }, 4min));
  site.machine().instead = nullptr;
  CHECK(site.until([&] { return healthy(site) == "False CriticalError"; }, 11min));
}

TEST_CASE("without Ironic nobody knows the health of a host whose agent is gone", "[health]") {
  AgentsOnly site;
  site.rest();
  REQUIRE(site.until([&] { return healthy(site) == "False Warning"; }, 3min));
  SECTION("it dies") {
    site.killAgent("near");
    CHECK(site.until([&] { return healthy(site) == "Unknown Unknown"; }, 5min));
  }
  SECTION("its coordinator dies, which is no reason") {
    std::set<std::string> seen;
    site.onHostStored = [&](const auto&) { seen.insert(healthy(site)); };
    site.killCoordinator();
    site.startCoordinator();
    site.pass(2min);
    seen.insert(healthy(site));
    CHECK(seen == std::set<std::string>{"False Warning"});
  }
}

TEST_CASE("beside an Ironic that tells no health the agent's word is shown", "[health]") {
  OneHost site;
  restingHost(site);
  CHECK(site.until([&] { return healthy(site) == "False Warning"; }, 3min));
  site.machine().instead = [](const auto&) { return net::HttpResponse{.status = 0}; };
  CHECK(site.until([&] { return healthy(site) == "Unknown Unknown"; }, 5min));
}

}  // namespace ingot::tests
