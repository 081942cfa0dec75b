// The log of a host whose agent changes.
#include "tests/coordinator/agents/agents_only.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

void writeLog(FakeRedfish& bmc, int count) {
  std::string members;
  for (int i = 1; i <= count; ++i)
    members += fmt::format(R"({}{{"Id":"{}","Created":"2026-01-01T10:{:02}:00Z","Message":"m","Severity":"Warning"}})",
                           i == 1 ? "" : ",", i, i);
  bmc.showLog(count, members);
}

}  // namespace

TEST_CASE("what was logged while the host went from one agent to another is news, once", "[logs]") {
  AgentsOnly site;
  site.serveAll("left");
  site.addHost("a", "10.0.0.1", false);
  const int before = GENERATE(0, 2);
  writeLog(site.machine(), before);
  REQUIRE(site.until([&] { return site.settled("a"); }));
  site.pass(5min);
  REQUIRE(site.eventMessages("metal", "BMCLogWarning").empty());  // history
  site.serveAll("right");
  site.killAgent("left");
  writeLog(site.machine(), before + 1);
  site.pass(5min);
  const auto isNews = [&] {
    const auto events = site.events("metal");
    const auto isLogged = [](const kube::Event& event) { return event.reason == "BMCLogWarning"; };
    const auto found = std::ranges::find_if(events, isLogged);
    return std::ranges::count_if(events, isLogged) == 1 && found->count <= 1;
  };
  CHECK(isNews());
  site.killAgent("right");
  site.startAgent("left");
  site.pass(5min);
  CHECK(isNews());
}
