// Facts and their age (docs/architecture.md).
#include "coordinator/agents/facts.hpp"
#include "coordinator/agents/roster.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using bmc::Power;
using coordinator::agents::FactStore;
using coordinator::agents::Transit;

namespace {

const base::MonoTime now{1000s};

wire::Facts told(std::int64_t seq, std::string power = "On", std::int64_t ageMs = 0) {
  return {.host = "h",
          .seq = seq,
          .term = 1,
          .lease = 1,
          .power = std::move(power),
          .powerAgeMs = ageMs,
          .health = "OK",
          .healthAgeMs = ageMs};
}

}  // namespace

TEST_CASE("a fact is known for as long as its limit, counted from when it was read") {
  FactStore facts({.power = 20s, .health = 180s});
  facts.learn("a", "b1", told(1, "On", 5000), now, now);
  CHECK(facts.power("h", now) == Power::on);
  CHECK(facts.power("h", now + 15s) == Power::on);
  CHECK(facts.power("h", now + 16s) == Power::unknown);
  CHECK(facts.health("h", now + 16s) == bmc::Health::ok);
  CHECK(facts.power("other", now) == Power::unknown);
}

TEST_CASE("time on the way counts as age") {
  FactStore facts({.power = 20s, .health = 180s});
  facts.learn("a", "b1", told(1), now - 30s, now);
  CHECK(facts.power("h", now) == Power::unknown);
}

TEST_CASE("what was never read is not known") {
  FactStore facts({});
  facts.learn("a", "b1", told(1, "Unknown", -1), now, now);
  CHECK(facts.power("h", now) == Power::unknown);
  CHECK(facts.find("h") != nullptr);
}

TEST_CASE("facts that come twice or too late are dropped, a gap shows") {
  FactStore facts({});
  CHECK(facts.learn("a", "b1", told(5), now, now).changed);
  CHECK_FALSE(facts.learn("a", "b1", told(5, "Off"), now, now).changed);
  CHECK_FALSE(facts.learn("a", "b1", told(4, "Off"), now, now).changed);
  CHECK(facts.power("h", now) == Power::on);
  CHECK_FALSE(facts.learn("a", "b1", told(6), now, now).gap);
  CHECK(facts.learn("a", "b1", told(9), now, now).gap);
}

TEST_CASE("an agent that gets a host anew counts anew: it is heard, and what was lost between shows") {
  FactStore facts({});
  facts.learn("a", "b1", told(50), now, now);
  auto anew = told(1, "Off");
  anew.lease = 2;
  const auto learned = facts.learn("a", "b1", anew, now, now);
  CHECK(learned.changed);
  CHECK(learned.gap);
  CHECK(facts.power("h", now) == Power::off);
  anew.seq = 2;
  CHECK_FALSE(facts.learn("a", "b1", anew, now, now).gap);
}

TEST_CASE("another boot or another agent starts its own count") {
  FactStore facts({});
  facts.learn("a", "b1", told(50), now, now);
  CHECK_FALSE(facts.learn("a", "b2", told(1, "Off"), now, now).gap);
  CHECK(facts.power("h", now) == Power::off);
  facts.learn("c", "b9", told(1, "On"), now, now);
  CHECK(facts.power("h", now) == Power::on);
}

TEST_CASE("only a change of meaning is worth a look at the host") {
  FactStore facts({});
  facts.learn("a", "b1", told(1), now, now);
  CHECK_FALSE(facts.learn("a", "b1", told(2), now + 5s, now + 5s).changed);
  CHECK(facts.learn("a", "b1", told(3, "Off"), now + 10s, now + 10s).changed);
  auto broken = told(4, "Off");
  broken.bmcErrorCode = "unreachable";
  CHECK(facts.learn("a", "b1", broken, now + 15s, now + 15s).changed);
}

TEST_CASE("a fact that grows old is told once") {
  FactStore facts({.power = 20s, .health = 180s});
  facts.learn("a", "b1", told(1), now, now);
  CHECK(facts.expired(now + 20s).empty());
  CHECK(facts.expired(now + 21s) == std::vector<std::string>{"h"});
  CHECK(facts.expired(now + 22s).empty());
  facts.learn("a", "b1", told(2), now + 23s, now + 23s);
  CHECK(facts.expired(now + 44s).size() == 1);
}

TEST_CASE("the quickest message sets the scale for how long others were under way") {
  Transit transit;
  CHECK(transit.arrived(1000, now) == 0s);
  CHECK(transit.arrived(2000, now + 1100ms) == 100ms - 220us);  // 0.1 s slower, less the drift allowed for
  CHECK(transit.arrived(3000, now + 2s) == 0s);
  const auto late = transit.arrived(4000, now + 63s);  // held back for a minute
  CHECK(late > 59s);
  CHECK(late <= 60s);
}
