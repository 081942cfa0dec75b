// Grants that come, are replaced and revoked.
#include "tests/agent/fixture.hpp"

#include "base/yield.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

TEST_CASE("between grants that come all at once an agent gets round to everything else") {
  Serving bench;
  constexpr std::size_t hosts = 200;
  for (std::size_t i = 0; i < hosts; ++i) {
    auto grant = bench.grant({5, 1, 0});
    grant.host = fmt::format("many-{}", i);
    bench.coordinator->send(bench.peer, wire::encode(grant));
  }
  std::set<std::size_t> seen;
  const auto look = [](AgentBench& at, std::set<std::size_t>& into) -> base::Task<void> {
    while (at.agent->hosts() <= hosts) {
      into.insert(at.agent->hosts());
      co_await base::yieldToLoop();
    }
  };
  bench.run(look(bench, seen));
  CHECK(seen.size() >= hosts / 16);
}

TEST_CASE("a revoked host is idle at once when nothing is written, and after the write otherwise") {
  Serving bench;
  SECTION("at rest") {
    bench.say(wire::Revoke{.host = "u1", .term = 5, .lease = 1});
    REQUIRE(bench.all<wire::Idle>().size() == 1);
    CHECK(bench.all<wire::Idle>()[0].wasHolder);
  }
  SECTION("in the middle of a write") {
    bench.bmc.before = [&bench](const net::ServerRequest& request) -> base::Task<void> {
      if (request.method == "POST") co_await bench.clock.sleepFor(5s);
    };
    bench.say(wire::Command{"u1", {5, 1, 1}, "on"});
    bench.clock.advance(1s);
    bench.say(wire::Revoke{.host = "u1", .term = 5, .lease = 1, .forget = true});
    bench.clock.advance(1s);
    CHECK(bench.all<wire::Idle>().empty());
    bench.say(bench.grant({5, 2, 0}, false));  // not before the first session is closed
    CHECK(bench.all<wire::Idle>().empty());
    bench.clock.advance(10s);
    CHECK_FALSE(bench.all<wire::Idle>().empty());
    CHECK(bench.resets() == 1);
    CHECK(bench.agent->hosts() == 1);
    REQUIRE_FALSE(bench.all<wire::CommandResult>().empty());
    CHECK(bench.all<wire::CommandResult>().back().outcome == "unknown");
  }
  SECTION("by an order about an older grant") {
    bench.say(bench.grant({5, 3, 0}));
    bench.say(wire::Revoke{.host = "u1", .term = 5, .lease = 2, .forget = true});
    CHECK(bench.agent->hosts() == 1);
    CHECK(bench.all<wire::Idle>().empty());
  }
  SECTION("of a host that is not served") {
    bench.say(wire::Revoke{.host = "other", .term = 5, .lease = 2});
    CHECK(bench.all<wire::Idle>().size() == 1);
  }
}

TEST_CASE("who takes the right away by a grant learns whether it was held") {
  Serving bench;
  bench.say(bench.grant({6, 1, 0}, false));
  REQUIRE(bench.all<wire::Idle>().size() == 1);
  CHECK(bench.all<wire::Idle>()[0].wasHolder);
  bench.say(bench.grant({7, 1, 0}, false));
  CHECK_FALSE(bench.all<wire::Idle>()[1].wasHolder);
}

TEST_CASE("a command that waits for its turn is not in flight: a revoked host is idle at once") {
  Serving bench;
  bench.bmc.before = [&bench](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method == "GET") co_await bench.clock.sleepFor(15s);
  };
  bench.say(wire::Command{"u1", {5, 1, 1}, "on"});
  bench.clock.advance(1s);
  bench.say(wire::Revoke{.host = "u1", .term = 5, .lease = 1});
  CHECK(bench.all<wire::Idle>().size() == 1);
  bench.clock.advance(1min);
  CHECK(bench.resets() == 0);
  CHECK(bench.all<wire::CommandResult>().back().outcome == "refused");
}
