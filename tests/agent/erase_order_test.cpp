// What is ordered of the drives of a host, and whether it still is when it is to be done.
#include "tests/agent/erase_serving.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

TEST_CASE("an order that is changed, called off or not stood by has nothing more begun") {
  EraseServing bench;
  for (const auto* serial : {"C", "D", "E", "F"}) bench.drives.add(serial);
  for (auto& drive : bench.drives.drives) drive.looks = 30;
  auto request = bench.request({5, 1, 1});
  request.known = {"A", "B", "C", "D", "E", "F"};
  bench.say(request);
  bench.clock.advance(3s);
  REQUIRE(bench.drives.erasures() == 4);
  const auto ended = [&] { return bench.clock.advanceUntil([&] { return bench.isOver(); }, 30min); };
  SECTION("changed") {
    request.token.seq = 2;
    request.depths["F"] = "keep";
    bench.say(request);
    REQUIRE(ended());
    CHECK(bench.all<wire::EraseReport>().back().errorCode == "busy");
    CHECK(bench.drives.erasures() == 4);
    bench.say(bench.grant({5, 1, 0}));
    request.token.seq = 3;
    CHECK(bench.ask(request).outcome == "done");
    CHECK(bench.drives.drives[5].erasures.empty());
    CHECK(bench.drives.drives[4].erasures.size() == 1);
  }
  SECTION("called off") {
    request.token.seq = 2;
    request.resumeOnly = true;
    bench.say(request);
    REQUIRE(ended());
    CHECK(bench.drives.erasures() == 4);
    request.token.seq = 3;
    CHECK(bench.ask(request).outcome == "idle");
  }
  SECTION("not stood by") {
    for (auto& drive : bench.drives.drives) drive.looks = 60;
    for (auto& drive : bench.drives.drives)
      if (drive.looksLeft > 0) drive.looksLeft = 60;
    bench.say(bench.grant({5, 1, 0}));
    REQUIRE(ended());
    CHECK(bench.drives.erasures() == 4);
  }
}

TEST_CASE("no drive is begun before the coordinator has said again that it is to be") {
  EraseServing bench;
  bench.confirmsErasures = false;
  bench.say(bench.request({5, 1, 1}));
  bench.clock.advance(10s);
  REQUIRE(bench.all<wire::EraseConfirm>().size() == 1);
  const auto asked = bench.all<wire::EraseConfirm>().front();
  CHECK(asked.host == "u1");
  CHECK(asked.job == "1");
  CHECK(bench.drives.erasures() == 0);
  SECTION("it says so") {
    bench.confirmsErasures = true;
    bench.standBy(asked.id);
    REQUIRE(bench.clock.advanceUntil([&] { return bench.isOver(); }, 10min));
    CHECK(bench.all<wire::EraseReport>().back().outcome == "done");
  }
  SECTION("it says nothing") {
    bench.say(bench.grant({5, 1, 0}));
    bench.clock.advance(40s);
    CHECK(bench.drives.erasures() == 0);
    CHECK(bench.all<wire::EraseReport>().back().errorCode == "busy");
  }
  SECTION("it calls it off") {
    auto request = bench.request({5, 1, 2});
    request.confirms = asked.id;
    request.resumeOnly = true;
    bench.say(request);
    bench.clock.advance(1s);
    CHECK(bench.isOver());
    CHECK(bench.drives.erasures() == 0);
  }
  SECTION("it would answer, and repeats its order without doing so") {
    auto request = bench.request({5, 1, 2});
    request.confirms = -1;
    bench.say(request);
    bench.say(bench.grant({5, 1, 0}));
    bench.clock.advance(40s);
    CHECK(bench.drives.erasures() == 0);
  }
  SECTION("it says something else meanwhile") {
    auto other = bench.request({5, 1, 2});
    other.depths["A"] = "keep";
    other.confirms = asked.id;
    bench.say(other);
    bench.clock.advance(1s);
    CHECK(bench.drives.erasures() == 0);
  }
  SECTION("one of an earlier version repeats its order") {
    bench.clock.advance(20s);
    bench.say(bench.request({5, 1, 2}));
    bench.clock.advance(10s);
    CHECK(bench.drives.erasures() == 0);  // it might have been on its way before
    bench.say(bench.grant({5, 1, 0}));
    bench.clock.advance(10s);
    CHECK(bench.drives.erasures() == 1);
  }
}

TEST_CASE("the steps of an order are taken when all is erased, and told") {
  EraseServing bench;
  auto request = bench.request({5, 1, 1});
  request.steps = {"clear-sel", "reset-boot-order"};
  const auto end = bench.ask(request);
  CHECK(end.outcome == "done");
  REQUIRE(end.steps.size() == 2);  // this BMC has neither
  CHECK(end.steps[0].step == "clear-sel");
  CHECK(end.steps[0].outcome == "skipped");
  CHECK(end.steps[1].step == "reset-boot-order");
  CHECK(end.steps[1].endedAt);
  request.token.seq = 2;
  request.steps = {"clear-sel", "clear-sessions"};
  bench.say(bench.grant({5, 1, 0}));
  const auto again = bench.ask(request);
  CHECK(again.steps.size() == 3);
  CHECK(bench.drives.erasures() == 2);
}

TEST_CASE("a step of a later version is refused, and nothing is erased") {
  EraseServing bench;
  auto request = bench.request({5, 1, 1});
  request.steps = {"scrub-the-floor"};
  CHECK(bench.ask(request).errorCode == "unsupported");
  CHECK(bench.drives.erasures() == 0);
}

TEST_CASE("an order that is changed while a drive is looked at for the last time has it left alone") {
  EraseServing bench;
  const bool isCalledOff = GENERATE(false, true);
  bool isChanged = false;
  bench.bmc.before = [&](const net::ServerRequest& request) {
    const bool isLastLook = request.target.contains("/d/") && !bench.all<wire::EraseConfirm>().empty();
    if (isLastLook && !std::exchange(isChanged, true)) {
      auto other = bench.request({5, 1, 2});
      other.confirms = -1;
      if (isCalledOff)
        other.resumeOnly = true;
      else
        other.depths = {{"A", "keep"}, {"B", "keep"}};
      bench.coordinator->send(bench.peer, wire::encode(other));
    }
    return bench.clock.sleepFor(100ms);
  };
  bench.say(bench.request({5, 1, 1}));
  bench.clock.advance(10s);
  CHECK(isChanged);
  CHECK(bench.drives.erasures() == 0);
}
