// What a host boots from, as the coordinator asks for it.
#include "tests/agent/fixture.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

const std::string live = "http://images/live.iso";

struct BootServing : Serving {
  BootServing() { bmc.hasMedia = true; }

  wire::BootRequest request(wire::Token token) const {
    return {.host = "u1", .token = token, .image = live, .device = "cdrom", .persistent = true, .mode = "uefi"};
  }
  void ask(const wire::BootRequest& request) { say(request); }
  wire::BootResult answer(std::size_t number) {
    if (!clock.advanceUntil([&] { return all<wire::BootResult>().size() >= number; }, 10min))
      throw std::runtime_error("no answer came");
    return all<wire::BootResult>().at(number - 1);
  }
  // The BMC takes so long for each request that changes something.
  void slowWrites(base::Duration each) {
    bmc.before = [this, each](const net::ServerRequest& request) -> base::Task<void> {
      if (request.method != "GET" && request.path().find("/Systems/") != std::string_view::npos)
        co_await clock.sleepFor(each);
    };
  }
};

}  // namespace

TEST_CASE("an agent says that it sets what hosts boot from, and does so when asked; the power stays as it is") {
  BootServing bench;
  CHECK(std::ranges::count(bench.all<wire::Hello>().back().capabilities, "boot") == 1);
  bench.ask(bench.request({5, 1, 1}));
  const auto result = bench.answer(1);
  CHECK(result.outcome == "done");
  CHECK(result.lasts);
  CHECK(result.token == wire::Token{5, 1, 1});
  CHECK(bench.bmc.media == live);
  CHECK(bench.bmc.bootTarget == "Cd");
  CHECK(bench.bmc.bootEnabled == "Continuous");
  CHECK(bench.bmc.powerState == "Off");
}

TEST_CASE("an image that is there may stay, where the request says so") {
  BootServing bench;
  bench.bmc.media = live;
  auto request = bench.request({5, 1, 1});
  request.mayStay = true;
  bench.ask(request);
  CHECK(bench.answer(1).outcome == "done");
  for (const auto& write : bench.bmc.journal) CHECK(write.find("/VirtualMedia/") == std::string::npos);
  request.token = {5, 1, 2};
  request.mayStay = false;
  bench.ask(request);
  CHECK(bench.answer(2).outcome == "done");
  CHECK(std::ranges::count_if(bench.bmc.journal, [](const auto& write) { return write.ends_with("/Eject "); }) == 1);
}

TEST_CASE("without an image the drive is emptied and the firmware's order holds") {
  BootServing bench;
  bench.bmc.media = live;
  bench.bmc.bootEnabled = "Continuous";
  bench.ask({.host = "u1", .token = {5, 1, 1}, .device = "none"});
  CHECK(bench.answer(1).outcome == "done");
  CHECK(bench.bmc.media.empty());
  CHECK(bench.bmc.bootEnabled == "Disabled");
}

TEST_CASE("what a host boots from is not touched without the right to act") {
  BootServing bench;
  SECTION("another lease") {
    bench.ask(bench.request({5, 2, 1}));
    CHECK(bench.answer(1).errorCode == "stale-token");
  }
  SECTION("a lease that has ended") {
    bench.clock.advance(1min);
    bench.ask(bench.request({5, 1, 1}));
    CHECK(bench.answer(1).errorCode == "no-lease");
  }
  SECTION("a host that it does not serve") {
    auto request = bench.request({5, 1, 1});
    request.host = "u2";
    bench.ask(request);
    CHECK(bench.answer(1).errorCode == "no-lease");
  }
  SECTION("a device of a later version") {
    auto request = bench.request({5, 1, 1});
    request.device = "tape";
    bench.ask(request);
    CHECK(bench.answer(1).errorCode == "unsupported");
  }
  CHECK(bench.answer(1).outcome == "refused");
  CHECK(bench.bmc.journal.empty());
}

TEST_CASE("a right that is taken away ends what is under way before its next write, and the host is idle then") {
  BootServing bench;
  bench.slowWrites(5s);
  bench.ask(bench.request({5, 1, 1}));
  bench.clock.advance(1s);
  REQUIRE(bench.bmc.journal.size() == 1);  // the ejection
  bench.say(wire::Revoke{.host = "u1", .term = 5, .lease = 1});
  CHECK(bench.all<wire::Idle>().empty());  // a write is in flight
  const auto result = bench.answer(1);
  CHECK(result.outcome == "refused");
  CHECK(result.errorCode == "no-lease");
  CHECK(bench.bmc.journal.size() == 1);
  CHECK(bench.all<wire::Idle>().size() == 1);
}

TEST_CASE("while an image is looked for in the drive nothing is in flight, and the host is idle at once") {
  BootServing bench;
  bench.bmc.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!request.path().ends_with("/Insert")) return std::nullopt;
    return net::HttpResponse{.status = 202};  // and it never gets there
  };
  bench.ask(bench.request({5, 1, 1}));
  bench.clock.advance(10s);
  bench.say(wire::Revoke{.host = "u1", .term = 5, .lease = 1});
  CHECK(bench.all<wire::Idle>().size() == 1);
}

TEST_CASE("a host is not switched on while what it boots from is being set; a fencing power-off does not wait") {
  BootServing bench;
  bench.slowWrites(2s);
  bench.ask(bench.request({5, 1, 1}));
  bench.clock.advance(1s);
  CHECK(bench.command({5, 1, 2}, "on").errorCode == "busy");
  CHECK(bench.command({5, 1, 3}, "hard-off").outcome == "done");
  CHECK(bench.answer(1).outcome == "done");
  bench.bmc.powerState = "On";
  bench.say(wire::Acknowledge{.host = "u1", .token = {5, 1, 3}});
  bench.say(bench.grant({5, 1, 0}));
  bench.say(wire::Command{"u1", {5, 1, 4}, "soft-off"});
  bench.clock.advance(1s);
  bench.ask(bench.request({5, 1, 5}));
  CHECK(bench.answer(2).errorCode == "busy");
}

TEST_CASE("what the BMC answers instead is told with its reason") {
  BootServing bench;
  bench.bmc.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!request.path().ends_with("/Insert")) return std::nullopt;
    return net::HttpResponse{.status = 400, .body = R"({"error":{"message":"no licence for virtual media"}})"};
  };
  bench.ask(bench.request({5, 1, 1}));
  const auto result = bench.answer(1);
  CHECK(result.outcome == "failed");
  CHECK(result.errorCode == "refused");
  CHECK(result.error.find("no licence for virtual media") != std::string::npos);
  CHECK_FALSE(result.lasts);
}

TEST_CASE("a host that is to be off for it is looked at before the first write and after the last") {
  BootServing bench;
  auto request = bench.request({5, 1, 1});
  request.whileOff = true;
  SECTION("it is on") {
    bench.bmc.powerState = "On";
    bench.ask(request);
    CHECK(bench.answer(1).outcome == "failed");
    CHECK_THAT(bench.answer(1).error, Catch::Contains("the host is to be off for this, and the BMC says On"));
    CHECK(bench.bmc.journal.empty());
  }
  SECTION("somebody switches it on meanwhile") {
    bench.bmc.instead = [&](const net::ServerRequest& seen) -> std::optional<net::HttpResponse> {
      if (seen.path().ends_with("/Insert")) bench.bmc.powerState = "On";
      return std::nullopt;
    };
    bench.ask(request);
    CHECK(bench.answer(1).outcome == "failed");
  }
  SECTION("it stays off") {
    bench.ask(request);
    CHECK(bench.answer(1).outcome == "done");
  }
}

TEST_CASE("an agent that stops waits for a write that is under way, and says idle after it") {
  BootServing bench;
  bench.slowWrites(5s);
  bench.ask(bench.request({5, 1, 1}));
  bench.clock.advance(1s);
  REQUIRE(bench.bmc.journal.size() == 1);
  bench.say(wire::Revoke{.host = "u1", .term = 5, .lease = 1});
  CHECK(bench.all<wire::Idle>().empty());
  const auto begin = bench.clock.now();
  bench.stop();
  CHECK(bench.clock.now() - begin >= 4s);
  CHECK(bench.all<wire::Idle>().size() == 1);
  CHECK(bench.bmc.journal.size() == 1);
}
