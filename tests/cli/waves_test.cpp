// Orders to many hosts, so many at a time.
#include "cli/decide/wave_plan.hpp"
#include "kube/core/event.hpp"
#include "tests/cli/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::cli;
using namespace std::chrono_literals;
using Catch::Contains;
using ingot::cli::tests::World;

namespace {

// What the coordinator does: a host's power follows spec.online after three seconds.
struct Fleet : World {
  explicit Fleet(std::initializer_list<std::string> all) {
    hosts(all);
    coordinators.spawn("coordinator", obey());
  }
  ~Fleet() { loop.run(coordinators.close()); }

  base::Task<void> obey() {
    while (true) {
      co_await loop.clock.sleepFor(1s);
      std::size_t onTheirWay = 0;
      for (const auto& host : co_await client().list<api::BareMetalHost>({.namespace_ = "metal3"})) {
        if (host.spec.online == host.status.poweredOn) continue;
        ++onTheirWay;
        if (++asked[host.metadata.name] < 3) continue;
        order.push_back(host.metadata.name);
        at.push_back(loop.clock.now());
        const auto& error = errors[host.metadata.name];
        if (stuck.contains(host.metadata.name)) continue;
        co_await client().patchStatus<api::BareMetalHost>(
            host.metadata.key(),
            json::Object{{"status", error.empty() ? json::Object{{"poweredOn", host.spec.online}}
                                                  : json::Object{{"errorMessage", error},
                                                                 {"errorType", "power management error"}}}});
      }
      most = std::max(most, onTheirWay);
    }
  }

  std::map<std::string, int> asked;
  std::map<std::string, std::string> errors;
  std::set<std::string> stuck;
  std::vector<std::string> order;
  std::vector<base::MonoTime> at;
  std::size_t most = 0;
  base::TaskGroup coordinators{loop.runtime.executor, base::Log::silent()};
};

}  // namespace

TEST_CASE("hosts are switched so many at a time, with a pause between, in the order named", "[cli][waves]") {
  Fleet w{"n1", "n2", "n3", "n4", "n5"};
  CHECK(w.run({"power", "off", "n[4-5,1-3]", "--at-once", "2", "--pause", "1m"}) == 0);
  CHECK(w.most == 2);
  REQUIRE(w.order == std::vector<std::string>{"n4", "n5", "n1", "n2", "n3"});
  CHECK(w.at[2] - w.at[1] >= 1min);
  CHECK(w.at[4] - w.at[3] >= 1min);
  CHECK_THAT(w.terminal.printed, Contains("host n3 is powered off"));
  CHECK(w.terminal.notes ==
        "2 of 5 hosts tried: 2 there, 0 failed\n4 of 5 hosts tried: 4 there, 0 failed\n"
        "5 of 5 hosts tried: 5 there, 0 failed\n");
}

TEST_CASE("the orders of a wave go out together, and no more of them than it has places", "[cli][waves]") {
  Fleet w{"n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9"};
  w.door.before = [&w](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method == "PATCH") co_await w.loop.clock.sleepFor(10s);
  };
  const auto start = w.loop.clock.now();
  CHECK(w.run({"power", "off", "n[1-9]", "--at-once", "8"}) == 0);
  CHECK(w.loop.clock.now() - start < 1min);  // two waves; one after another they would take 90 s
  CHECK(w.most == 8);
}

TEST_CASE("the same command goes on where it ended: hosts that are there take no place", "[cli][waves]") {
  Fleet w{"n1", "n2", "n3", "n4"};
  CHECK(w.run({"power", "off", "n[1-3]"}) == 0);
  w.loop.clock.advance(10s);
  w.order.clear();
  w.most = 0;
  CHECK(w.run({"power", "off", "n[1-4]", "--at-once", "1"}) == 0);
  CHECK(w.order == std::vector<std::string>{"n4"});
  CHECK_THAT(w.terminal.printed, Contains("host n1 is powered off already") && Contains("host n4 is powered off"));
  CHECK(w.terminal.notes == "4 of 4 hosts tried: 4 there, 0 failed\n");
}

TEST_CASE("when too many fail nobody further is asked, and those who were not are named", "[cli][waves]") {
  Fleet w{"n1", "n2", "n3", "n4", "n5", "n6"};
  SECTION("an error of the host") { w.errors["n2"] = "the BMC refused"; }
  SECTION("no change in time") { w.stuck.insert("n2"); }
  CHECK(w.run({"power", "off", "n[1-6]", "--at-once", "3", "--timeout", "20s"}) == 1);
  CHECK_THAT(w.terminal.errors,
             Contains("host n2 is not powered off") &&
                 Contains("stopped: 1 of 3 hosts failed, more than 10 % (--max-failed); not tried: n[4-6]"));
  CHECK(w.host("n4").spec.online);
  w.errors.clear();
  w.stuck.clear();
  CHECK(w.run({"power", "off", "n[1-6]", "--at-once", "3", "--max-failed", "40"}) == 0);
  CHECK_FALSE(w.host("n6").spec.online);
}

TEST_CASE("who cannot be asked takes a place, too: a mistake meets no more than a wave", "[cli][waves]") {
  int patches = 0;
  Fleet w{"n1", "n2", "n3", "n4"};
  SECTION("names that nobody has") {
    CHECK(w.run({"power", "off", "nope[1-2]", "n[1-2]", "--at-once", "2"}) != 0);
    CHECK_THAT(w.terminal.errors, Contains("stopped: 2 of 2 hosts failed") && Contains("not tried: n[1-2]"));
  }
  SECTION("answers that are lost") {
    w.door.instead = [&patches](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      if (request.method != "PATCH") return std::nullopt;
      ++patches;
      return net::HttpResponse{.status = 504, .headers = {}, .body = ""};
    };
    CHECK(w.run({"power", "off", "n[1-4]", "--at-once", "2"}) != 0);
    CHECK(patches == 2);
    w.door.instead = nullptr;
  }
  CHECK(w.host("n1").spec.online);
}

TEST_CASE("some may fail: the others are switched, and the exit code tells", "[cli][waves]") {
  Fleet w{"n1", "n2", "n3"};
  CHECK(w.run({"power", "off", "n1", "nope", "n[2-3]", "--at-once", "2", "--max-failed", "50"}) == 3);
  CHECK_FALSE(w.host("n3").spec.online);
  CHECK_THAT(w.terminal.notes, Contains("4 of 4 hosts tried: 3 there, 1 failed"));
}

TEST_CASE("an error that is told and gone again, of a slow BMC say, is none", "[cli][waves]") {
  Fleet w{"n1", "n2"};
  w.errors["n1"] = "late but has not failed";
  const auto heal = [](Fleet& fleet) -> base::Task<void> {
    co_await fleet.loop.clock.sleepFor(30s);
    fleet.errors.clear();
    co_await fleet.client().patchStatus<api::BareMetalHost>(
        {"metal3", "n1"}, json::parse(R"({"status":{"poweredOn":false,"errorMessage":"","errorType":""}})"));
  };
  w.coordinators.spawn("heals", heal(w));
  CHECK(w.run({"power", "off", "n[1-2]", "--at-once", "1"}) == 0);
  CHECK_FALSE(w.host("n2").spec.online);
}

TEST_CASE("a reboot is not over before it has begun", "[cli][waves]") {
  Fleet w{"n1", "n2"};
  const auto rebootSoon = [](Fleet& fleet) -> base::Task<void> {
    for (int i = 0; i < 2; ++i) {
      co_await fleet.loop.clock.sleepFor(5s);
      for (const auto* name : {"n1", "n2"})
        co_await fleet.client().patch<api::BareMetalHost>(
            {"metal3", name}, json::parse(R"({"metadata":{"annotations":{"reboot.metal3.io":null}}})"));
    }
  };
  w.coordinators.spawn("reboots", rebootSoon(w));
  const auto start = w.loop.clock.now();
  CHECK(w.run({"power", "reboot", "n[1-2]", "--at-once", "1"}) == 0);
  CHECK(w.loop.clock.now() - start >= 10s);
  CHECK_THAT(w.terminal.printed, Contains("host n2 is rebooted"));
}

TEST_CASE("an order that is cut off says who was not asked", "[cli][waves]") {
  Fleet w{"n1", "n2", "n3"};
  w.stuck = {"n1"};
  base::TaskGroup operators(w.loop.runtime.executor, base::Log::silent());
  const auto order = [](Fleet& fleet) -> base::Task<void> {
    static_cast<void>(co_await fleet.start({"power", "off", "n[1-3]", "--at-once", "1"}));
  };
  operators.spawn("order", order(w));
  w.loop.clock.advance(5s);
  w.loop.run(operators.close());
  CHECK_THAT(w.terminal.notes, Contains("not tried: n[2-3]"));
  CHECK(w.host("n2").spec.online);
}

TEST_CASE("an order that is cut off while hosts are asked says which", "[cli][waves]") {
  Fleet w{"n1", "n2", "n3"};
  w.door.before = [&w](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method == "PATCH" && request.path().ends_with("/n2")) co_await w.loop.clock.sleepFor(1h);
  };
  base::TaskGroup operators(w.loop.runtime.executor, base::Log::silent());
  const auto order = [](Fleet& fleet) -> base::Task<void> {
    static_cast<void>(co_await fleet.start({"power", "off", "n[1-3]", "--at-once", "2"}));
  };
  operators.spawn("order", order(w));
  w.loop.clock.advance(1s);
  w.loop.run(operators.close());
  CHECK(w.terminal.notes == "perhaps asked: n2\nnot tried: n3\n");
}

TEST_CASE("so many are allowed to fail as the share says", "[cli][waves]") {
  for (const auto& [tried, failed, percent, stops] : std::vector<std::tuple<int, int, int, bool>>{{10, 1, 10, false},
                                                                                                  {9, 1, 10, true},
                                                                                                  {100, 11, 10, true},
                                                                                                  {5, 1, 0, true},
                                                                                                  {5, 0, 0, false},
                                                                                                  {3, 3, 100, false},
                                                                                                  {0, 0, 10, false}}) {
    WavePlan plan(std::vector<std::string>(200, "n"), {.atOnce = 5, .mostFailedPercent = percent});
    for (int i = 0; i < tried; ++i) (void)plan.take();
    plan.failed(static_cast<std::size_t>(failed));
    CHECK(plan.hasTooManyFailures() == stops);
  }
}

namespace {

// What the coordinator does with one-shots: it takes the annotation off, and an Event tells a while later how it ended.
struct OneShots : World {
  explicit OneShots(std::initializer_list<std::string> all) {
    hosts(all);
    coordinators.spawn("coordinator", obey());
  }
  ~OneShots() { loop.run(coordinators.close()); }

  base::Task<void> obey() {
    while (true) {
      co_await loop.clock.sleepFor(1s);
      for (const auto& host : co_await client().list<api::BareMetalHost>({.namespace_ = "metal3"})) {
        const auto& name = host.metadata.name;
        if (!host.metadata.annotations.contains("ingot.dev/ac-cycle")) continue;
        co_await client().patch<api::BareMetalHost>(
            host.metadata.key(),
            json::parse(R"({"metadata":{"annotations":{"ingot.dev/ac-cycle":null}}})").as_object());
        order.push_back(name);
        most = std::max(most, ++underWay);
        if (!silent.contains(name)) coordinators.spawn("carry it out", carryOut(host));
      }
    }
  }
  base::Task<void> carryOut(api::BareMetalHost host) {
    co_await loop.clock.sleepFor(2min);
    --underWay;
    co_await tell(host, broken.contains(host.metadata.name) ? "ACCycleFailed" : "ACCycleDone");
  }
  base::Task<void> tell(api::BareMetalHost host, std::string reason) {
    kube::Event event;
    event.metadata.namespace_ = "metal3";
    event.metadata.name = fmt::format("{}.{}", host.metadata.name, ++events);
    event.involvedObject = kube::referenceTo(host);
    event.reason = std::move(reason);
    event.message = "no loss of input power was seen";
    event.type = "Normal";
    co_await client().create(event);
  }

  std::set<std::string> silent, broken;
  std::vector<std::string> order;
  std::size_t underWay = 0, most = 0;
  int events = 0;
  base::TaskGroup coordinators{loop.runtime.executor, base::Log::silent()};
};

}  // namespace

TEST_CASE("AC cycles go in waves, each when that before has ended as its Events tell", "[cli][waves]") {
  OneShots w{"n1", "n2", "n3", "n4", "n5"};
  const auto hosts = w.loop.run(w.client().list<api::BareMetalHost>({.namespace_ = "metal3"}));
  for (const auto& host : hosts) w.loop.run(w.tell(host, "ACCycleDone"));  // of the last time
  CHECK(w.run({"power", "ac-cycle", "n[1-5]", "--at-once", "2"}) == 0);
  CHECK(w.most == 2);
  CHECK(w.order.size() == 5);
  CHECK_THAT(w.terminal.printed, Contains("host n5 is AC-cycled"));
  CHECK_THAT(w.terminal.notes, Contains("5 of 5 hosts tried: 5 there, 0 failed"));
}

TEST_CASE("an AC cycle that failed, or of which nothing is heard, ends the waves", "[cli][waves]") {
  OneShots w{"n1", "n2", "n3", "n4"};
  SECTION("failed") {
    w.broken = {"n2"};
    CHECK(w.run({"power", "ac-cycle", "n[1-4]", "--at-once", "2"}) != 0);
    CHECK_THAT(w.terminal.errors, Contains("host n2 is not AC-cycled: no loss of input power was seen"));
  }
  SECTION("nothing is heard") {
    w.silent = {"n2"};
    CHECK(w.run({"power", "ac-cycle", "n[1-4]", "--at-once", "2"}) != 0);
    CHECK_THAT(w.terminal.errors, Contains("host n2 is not AC-cycled after 20m: no Event tells how it ended"));
  }
  CHECK(w.order == std::vector<std::string>{"n1", "n2"});
  CHECK_THAT(w.terminal.errors, Contains("not tried: n[3-4]"));
}

TEST_CASE("--wait of a one-shot is one wave of all its hosts", "[cli][waves]") {
  OneShots w{"n1", "n2", "n3"};
  CHECK(w.run({"power", "ac-cycle", "n[1-3]", "--wait"}) == 0);
  CHECK(w.most == 3);
  CHECK_THAT(w.terminal.notes, Contains("3 of 3 hosts tried: 3 there, 0 failed"));
}
