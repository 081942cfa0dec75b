// Facts and their age (docs/architecture.md).
#include "coordinator/agents/fact_store.hpp"
#include "coordinator/agents/roster.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using bmc::Power;
using coordinator::agents::FactStore;
using coordinator::agents::Transit;

namespace {

const base::MonoTime readAt{1000s};

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
  facts.learn("a", "b1", told(1, "On", 5000), readAt, readAt);
  CHECK(facts.power("h", readAt) == Power::on);
  CHECK(facts.power("h", readAt + 15s) == Power::on);
  CHECK(facts.power("h", readAt + 16s) == Power::unknown);
  CHECK(facts.health("h", readAt + 16s) == bmc::Health::ok);
  CHECK(facts.power("other", readAt) == Power::unknown);
}

TEST_CASE("the power of a slow BMC is believed until the next reading can be there, and a minute longer at most") {
  FactStore facts({.power = 20s, .health = 180s});
  auto slow = told(1, "On", 15000);
  slow.powerTookMs = 15000;
  facts.learn("a", "b1", slow, readAt, readAt);
  CHECK(facts.power("h", readAt + 35s) == Power::on);  // 15 s old when it came, and 20 + 30 s good
  CHECK(facts.expired(readAt + 35s).empty());
  CHECK(facts.power("h", readAt + 36s) == Power::unknown);
  CHECK(facts.expired(readAt + 36s) == std::vector<std::string>{"h"});
  for (const auto extreme : {std::numeric_limits<std::int64_t>::max(), std::int64_t{3'600'000}}) {
    slow.powerTookMs = extreme;
    ++slow.seq;
    facts.learn("a", "b1", slow, readAt, readAt);
    CHECK(facts.power("h", readAt + 65s) == Power::on);
    CHECK(facts.power("h", readAt + 66s) == Power::unknown);
  }
  slow.powerTookMs = std::numeric_limits<std::int64_t>::min();
  ++slow.seq;
  facts.learn("a", "b1", slow, readAt, readAt);
  CHECK(facts.power("h", readAt + 5s) == Power::on);
  CHECK(facts.power("h", readAt + 6s) == Power::unknown);
}

TEST_CASE("time on the way counts as age") {
  FactStore facts({.power = 20s, .health = 180s});
  facts.learn("a", "b1", told(1), readAt - 30s, readAt);
  CHECK(facts.power("h", readAt) == Power::unknown);
}

TEST_CASE("what was never read is not known") {
  FactStore facts({});
  facts.learn("a", "b1", told(1, "Unknown", -1), readAt, readAt);
  CHECK(facts.power("h", readAt) == Power::unknown);
  CHECK(facts.find("h") != nullptr);
}

TEST_CASE("facts that come twice or too late are dropped, a gap shows") {
  FactStore facts({});
  CHECK(facts.learn("a", "b1", told(5), readAt, readAt).changed);
  CHECK_FALSE(facts.learn("a", "b1", told(5, "Off"), readAt, readAt).changed);
  CHECK_FALSE(facts.learn("a", "b1", told(4, "Off"), readAt, readAt).changed);
  CHECK(facts.power("h", readAt) == Power::on);
  CHECK_FALSE(facts.learn("a", "b1", told(6), readAt, readAt).gap);
  CHECK(facts.learn("a", "b1", told(9), readAt, readAt).gap);
}

TEST_CASE("an agent that gets a host anew counts anew: it is heard, and what was lost between shows") {
  FactStore facts({});
  facts.learn("a", "b1", told(50), readAt, readAt);
  auto anew = told(1, "Off");
  anew.lease = 2;
  const auto learned = facts.learn("a", "b1", anew, readAt, readAt);
  CHECK(learned.changed);
  CHECK(learned.gap);
  CHECK(facts.power("h", readAt) == Power::off);
  anew.seq = 2;
  CHECK_FALSE(facts.learn("a", "b1", anew, readAt, readAt).gap);
}

TEST_CASE("another boot or another agent starts its own count") {
  FactStore facts({});
  facts.learn("a", "b1", told(50), readAt, readAt);
  CHECK_FALSE(facts.learn("a", "b2", told(1, "Off"), readAt, readAt).gap);
  CHECK(facts.power("h", readAt) == Power::off);
  facts.learn("c", "b9", told(1, "On"), readAt, readAt);
  CHECK(facts.power("h", readAt) == Power::on);
}

TEST_CASE("only a change of meaning is worth a look at the host") {
  FactStore facts({});
  facts.learn("a", "b1", told(1), readAt, readAt);
  CHECK_FALSE(facts.learn("a", "b1", told(2), readAt + 5s, readAt + 5s).changed);
  CHECK(facts.learn("a", "b1", told(3, "Off"), readAt + 10s, readAt + 10s).changed);
  auto broken = told(4, "Off");
  broken.bmcErrorCode = "unreachable";
  CHECK(facts.learn("a", "b1", broken, readAt + 15s, readAt + 15s).changed);
}

TEST_CASE("a fact that grows old is told once") {
  FactStore facts({.power = 20s, .health = 180s});
  facts.learn("a", "b1", told(1), readAt, readAt);
  CHECK(facts.expired(readAt + 20s).empty());
  CHECK(facts.expired(readAt + 21s) == std::vector<std::string>{"h"});
  CHECK(facts.expired(readAt + 22s).empty());
  facts.learn("a", "b1", told(2), readAt + 23s, readAt + 23s);
  CHECK(facts.expired(readAt + 44s).size() == 1);
}

TEST_CASE("the quickest message sets the scale for how long others were under way") {
  Transit transit;
  CHECK(transit.arrived(1000, readAt) == 0s);
  CHECK(transit.arrived(2000, readAt + 1100ms) == 100ms - 220us);  // 0.1 s slower, less the drift allowed for
  CHECK(transit.arrived(3000, readAt + 2s) == 0s);
  const auto late = transit.arrived(4000, readAt + 63s);  // held back for a minute
  CHECK(late > 59s);
  CHECK(late <= 60s);
}

TEST_CASE("ages and stamps may be of any size") {
  const auto extreme = GENERATE(std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min());
  FactStore facts{{}};
  static_cast<void>(facts.learn("near", "boot", told(1, "On", extreme), readAt, readAt));
  CHECK(facts.power("h", readAt) == Power::unknown);
  Transit transit;
  static_cast<void>(transit.arrived(extreme, readAt));
  CHECK(transit.arrived(extreme, readAt + 1s) >= base::Duration{});
}

TEST_CASE("facts that hold still are as fresh as they are said to be") {
  FactStore facts({.power = 20s, .health = 180s});
  const auto fresh = [](std::int64_t seq, std::int64_t ageMs) {
    return wire::FreshFacts{.host = "h", .seq = seq, .term = 1, .lease = 1, .powerAgeMs = ageMs, .healthAgeMs = ageMs};
  };
  CHECK(facts.refresh("a", "b1", fresh(1, 0), readAt, readAt).gap);  // nothing is known of it
  facts.learn("a", "b1", told(1), readAt, readAt);
  CHECK_FALSE(facts.refresh("a", "b1", fresh(1, 1000), readAt + 15s, readAt + 15s).changed);
  CHECK(facts.power("h", readAt + 34s) == Power::on);
  CHECK(facts.power("h", readAt + 35s) == Power::unknown);
  CHECK(facts.health("h", readAt + 194s) == bmc::Health::ok);
  CHECK(facts.health("h", readAt + 195s) == bmc::Health::unknown);

  SECTION("what had become unknown is worth a look, each time") {
    CHECK(facts.expired(readAt + 35s).size() == 1);
    CHECK(facts.refresh("a", "b1", fresh(1, 0), readAt + 40s, readAt + 40s).changed);
    CHECK(facts.expired(readAt + 61s).size() == 1);
  }
  SECTION("a reading that is said to be old makes nothing fresh") {
    CHECK_FALSE(facts.refresh("a", "b1", fresh(1, 30'000), readAt + 40s, readAt + 40s).changed);
    CHECK(facts.power("h", readAt + 40s) == Power::unknown);
  }
  SECTION("nor of facts of that number under another grant") {
    auto later = fresh(1, 0), earlier = fresh(1, 0);
    later.lease = 2;
    earlier.lease = 0;
    CHECK(facts.refresh("a", "b1", later, readAt + 40s, readAt + 40s).gap);
    CHECK_FALSE(facts.refresh("a", "b1", earlier, readAt + 40s, readAt + 40s).gap);
    CHECK(facts.power("h", readAt + 40s) == Power::unknown);
  }
  SECTION("of other facts than the last they say nothing") {
    CHECK(facts.refresh("a", "b1", fresh(2, 0), readAt + 40s, readAt + 40s).gap);
    CHECK_FALSE(facts.refresh("a", "b1", fresh(0, 0), readAt + 40s, readAt + 40s).gap);
    CHECK(facts.refresh("a", "b2", fresh(1, 0), readAt + 40s, readAt + 40s).gap);
    CHECK(facts.refresh("other", "b1", fresh(1, 0), readAt + 40s, readAt + 40s).gap);
    CHECK(facts.power("h", readAt + 40s) == Power::unknown);
  }
}
