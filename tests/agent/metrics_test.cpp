// What an agent counts of its own work.
#include "agent/agent_metrics.hpp"
#include "tests/agent/fixture.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

TEST_CASE("an agent counts its hosts, what their BMCs say, and what came of what it was asked for") {
  AgentBench bench;
  base::Metrics metrics;
  const agent::AgentMetrics counts(metrics, *bench.agent);
  const auto has = [&](const std::string& line) { return metrics.expose().find(line + "\n") != std::string::npos; };
  CHECK(has("ingot_agent_connected 0"));
  bench.greet();
  bench.say(bench.grant({5, 1, 0}));
  bench.clock.advance(1s);
  CHECK(has("ingot_agent_connected 1"));
  CHECK(has("ingot_agent_approved 1"));
  CHECK(has("ingot_agent_hosts 1"));
  CHECK(has("ingot_agent_hosts_acting 1"));
  CHECK(has(R"(ingot_agent_bmcs{state="ok"} 1)"));
  CHECK(bench.command({5, 1, 1}).outcome == "done");
  CHECK(bench.command({5, 2, 1}).outcome == "refused");
  CHECK(has(R"(ingot_agent_requests_total{kind="on",outcome="done"} 1)"));
  CHECK(has(R"(ingot_agent_requests_total{kind="power",outcome="refused"} 1)"));
  CHECK(has("ingot_agent_messages_waiting 0"));
  CHECK(has("ingot_agent_messages_dropped_total 0"));
  bench.network.remove("https://bmc.example:443");
  bench.clock.advance(2min);
  CHECK(has(R"(ingot_agent_bmcs{state="unreachable"} 1)"));
  CHECK(has(R"(ingot_agent_bmcs{state="ok"} 0)"));
  CHECK(has("ingot_agent_hosts_acting 0"));  // nobody has renewed its lease
}
