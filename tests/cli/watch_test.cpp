// ingotctl watch.
#include "cli/show/host_changes.hpp"
#include "tests/cli/world.hpp"

namespace ingot::cli::tests {
namespace {

using namespace std::chrono_literals;
using Catch::Contains;

api::BareMetalHost hostIn(const std::string& state) {
  api::BareMetalHost host;
  host.status.provisioning.state = state;
  return host;
}

}  // namespace

TEST_CASE("what has changed of a host is told aspect by aspect, and the rest not", "[cli][watch]") {
  auto before = hostIn("available"), after = before;
  CHECK(changesBetween(&before, &after).empty());
  CHECK(changesBetween(nullptr, nullptr).empty());
  CHECK(changesBetween(nullptr, &after) == std::vector<HostChange>{{"host", "", "available"}});
  const auto fresh = hostIn("");
  CHECK(changesBetween(nullptr, &fresh) == std::vector<HostChange>{{"host", "", "new"}});
  CHECK(changesBetween(&before, nullptr) == std::vector<HostChange>{{"host", "available", "deleted"}});

  after.status.provisioning.state = "provisioning";
  after.status.poweredOn = after.spec.online = true;
  after.spec.consumerRef.emplace().name = "m1";
  after.status.errorType = "provisioning error";
  after.status.errorMessage = "no image";
  after.status.conditions = {{.type = "Healthy", .status = "False", .reason = "Warning"}};
  CHECK(changesBetween(&before, &after) == std::vector<HostChange>{{"state", "available", "provisioning"},
                                                                   {"power", "off", "on"},
                                                                   {"wanted", "off", "on"},
                                                                   {"health", "", "Warning"},
                                                                   {"error", "", "provisioning error: no image"},
                                                                   {"consumer", "", "m1"}});
  before = after;
  after.status.conditions.push_back({.type = "PowerStateKnown", .status = "False"});
  CHECK(changesBetween(&before, &after) == std::vector<HostChange>{{"power", "on", "unknown"}});
}

TEST_CASE("a change is one line, whatever an error says", "[cli][watch]") {
  const HostChange change{"error", "", "two\nlines\x1b[2J"};
  const auto line = changeLine(change, {"metal", "n1"}, true, base::WallTime{});
  CHECK(std::ranges::count(line, '\n') == 1);
  CHECK(line.find('\x1b') == std::string::npos);
  CHECK_THAT(line, Contains("1970-01-01T00:00:00Z  metal/n1") && Contains("- -> two lines"));
}

TEST_CASE("hosts are watched: what is there is not told, each change is, as a line or a document", "[cli][watch]") {
  World w;
  w.hosts({"n1", "n2"});
  base::TaskGroup others(w.loop.runtime.executor, base::Log::silent());
  const auto later = [](World& world) -> base::Task<void> {
    for (const auto* name : {"n1", "n2"}) {
      co_await world.loop.clock.sleepFor(3s);
      co_await world.client().patchStatus<api::BareMetalHost>({"metal3", name},
                                                              json::parse(R"({"status":{"poweredOn":false}})"));
    }
  };
  SECTION("all of them") {
    others.spawn("coordinator", later(w));
    CHECK(w.run({"watch", "--timeout", "10s"}) == 0);
    CHECK(std::ranges::count(w.terminal.printed, '\n') == 2);
    CHECK_THAT(w.terminal.printed, Contains("  n1  ") && Contains("  n2  ") && Contains("power     on -> off"));
    CHECK_THAT(w.terminal.notes, Contains("watching 2 hosts"));
  }
  SECTION("one of them, and one that is not there") {
    others.spawn("coordinator", later(w));
    CHECK(w.run({"watch", "n2", "nope", "-o", "json", "--timeout", "10s"}) == 0);
    const auto told = json::parse(w.terminal.printed);
    CHECK(json::textAt(told, {"host"}) == "n2");
    CHECK(json::textAt(told, {"namespace"}) == "metal3");
    CHECK(json::textAt(told, {"what"}) == "power");
    CHECK(json::textAt(told, {"to"}) == "off");
    CHECK_THAT(w.terminal.notes, Contains("there is no host nope yet"));
  }
  w.loop.run(others.close());
}

TEST_CASE("a host that goes is told", "[cli][watch]") {
  World w;
  w.hosts({"n1"});
  base::TaskGroup others(w.loop.runtime.executor, base::Log::silent());
  const auto later = [](World& world) -> base::Task<void> {
    co_await world.loop.clock.sleepFor(3s);
    co_await world.client().remove<api::BareMetalHost>({"metal3", "n1"});
  };
  others.spawn("user", later(w));
  CHECK(w.run({"watch", "-A", "--timeout", "10s"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("metal3/n1") && Contains("-> deleted"));
  w.loop.run(others.close());
}

}  // namespace ingot::cli::tests
