// What an agent does with a host whose BMC's protocol lacks something.
#include "tests/agent/erase_serving.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

struct OverIpmi : EraseServing {
  // The same host, whose BMC is reached by another protocol from now on.
  void reach(const std::string& address, std::int64_t lease) {
    auto other = grant({5, lease, 0});
    other.address = address;
    say(other);
  }
  [[nodiscard]] std::string events() const { return std::string(toText(agent->standing().hosts.front().events)); }
};

}  // namespace

TEST_CASE("that a BMC behind IPMI pushes no events is known without asking it") {
  OverIpmi bench;
  CHECK(bench.events() == "not-yet");
  bench.reach("ipmi://bmc.example", 2);
  CHECK(bench.events() == "none");
  bench.clock.advance(2min);
  CHECK(bench.events() == "none");
  bench.reach("redfish://bmc.example", 3);
  CHECK(bench.events() == "not-yet");
}

TEST_CASE("an erasure that is asked for behind IPMI fails at once, and keeps the host no power") {
  OverIpmi bench;
  bench.reach("ipmi://bmc.example", 2);
  const auto end = bench.ask(bench.request({5, 2, 1}));
  CHECK(end.outcome == "failed");
  CHECK(end.errorCode == "unsupported");
  auto look = bench.request({5, 2, 2});
  look.resumeOnly = true;
  CHECK(bench.ask(look).outcome == "idle");
  CHECK(bench.command({5, 2, 3}, "hard-off").errorCode != "busy");
  CHECK(bench.drives.erasures() == 0);
}

TEST_CASE("an erasure that was begun keeps the host's power while its BMC is reached by IPMI, and goes on after") {
  OverIpmi bench;
  for (auto& drive : bench.drives.drives) drive.looks = 20;
  bench.say(bench.request({5, 1, 1}));
  bench.clock.advance(2s);
  REQUIRE(bench.drives.isErasing());
  bench.reach("ipmi://bmc.example", 2);
  bench.clock.advance(1min);
  bench.reach("ipmi://bmc.example", 2);  // its lease goes on
  CHECK(bench.command({5, 2, 1}, "hard-off").errorCode == "busy");
  bench.say(bench.request({5, 2, 2}));
  CHECK(bench.all<wire::EraseReport>().back().outcome == "running");
  bench.clock.advance(5min);
  CHECK(bench.all<wire::EraseReport>().back().outcome == "running");
  bench.reach("redfish://bmc.example", 3);
  bench.clock.advance(5min);
  bench.reach("redfish://bmc.example", 3);
  CHECK(bench.ask(bench.request({5, 3, 1})).outcome == "done");
  CHECK(bench.drives.erasures() == 2);
}
