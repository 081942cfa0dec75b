// Commands and a disk that is full, or slow: nothing is done before it is on record.
#include "tests/agent/fixture.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

// The disk takes nothing at the syncs whose numbers are listed, from 1 on.
struct FullAt {
  explicit FullAt(Serving& bench, std::set<int> numbers) : fullAt(std::move(numbers)) {
    bench.disk.syncing = [this] { return sync(*this); };
  }
  static base::Task<void> sync(FullAt& disk) {
    if (disk.fullAt.contains(++disk.syncs)) throw base::Error("journal: no space left on device");
    co_return;
  }
  std::set<int> fullAt;
  int syncs = 0;
};

}  // namespace

TEST_CASE("a command that is not on the disk is refused, and the BMC is not asked") {
  Serving bench;
  const FullAt full(bench, {1});
  const auto refused = bench.command({5, 1, 1});
  CHECK(refused.outcome == "refused");
  CHECK(refused.errorCode == "journal");
  CHECK(refused.error == "journal: no space left on device");
  CHECK(bench.resets() == 0);
  bench.say(wire::Welcome{.state = "approved", .term = 5, .sayHello = true});
  CHECK(bench.all<wire::CommandResult>().back().errorCode == "journal");  // told until somebody has heard it
  bench.say(wire::Acknowledge{"u1", {5, 1, 1}});
  CHECK(bench.command({5, 1, 2}).outcome == "done");
}

TEST_CASE("a request that is not on the disk is not sent, and after a crash nobody thinks that it was") {
  Serving bench;
  const FullAt full(bench, {2});
  CHECK(bench.command({5, 1, 1}).outcome == "refused");
  CHECK(bench.resets() == 0);
  bench.command({5, 1, 2});  // the first is not acknowledged yet
  CHECK(std::ranges::count(bench.all<wire::CommandResult>(), "busy", &wire::CommandResult::errorCode) == 1);
  bench.say(wire::Acknowledge{"u1", {5, 1, 1}});
  CHECK(bench.command({5, 1, 3}).outcome == "done");
}

TEST_CASE("a result is told also when it cannot be kept") {
  Serving bench;
  const FullAt full(bench, {3});
  CHECK(bench.command({5, 1, 1}).outcome == "done");
  CHECK(bench.resets() == 1);
}

TEST_CASE("a disk that takes longer than the lease lasts sends nothing, and keeps nothing else waiting") {
  Serving bench;
  bench.disk.syncing = [&] { return bench.agentClock.sleepFor(20s); };
  const auto before = bench.all<wire::Heartbeat>().size();
  const auto facts = bench.all<wire::Facts>().size();
  const auto result = bench.command({5, 1, 1});
  CHECK(result.outcome == "refused");
  CHECK(result.errorCode == "no-lease");
  CHECK(bench.resets() == 0);
  CHECK(bench.all<wire::Heartbeat>().size() >= before + 9);
  CHECK(bench.all<wire::Facts>().size() >= facts + 3);
}

TEST_CASE("a lease that is taken back while the disk is at work is let go at once, and nothing is sent") {
  Serving bench;
  bench.disk.syncing = [&] { return bench.agentClock.sleepFor(5s); };
  bench.say(wire::Command{"u1", {5, 1, 1}, "on"});
  bench.clock.advance(1s);
  bench.say(wire::Revoke{.host = "u1", .term = 5, .lease = 1});
  REQUIRE_FALSE(bench.all<wire::Idle>().empty());
  bench.clock.advance(30s);
  CHECK(bench.all<wire::CommandResult>().back().outcome == "refused");
  CHECK(bench.resets() == 0);
}

TEST_CASE("a host that is given up while the disk is at work has its command told as not asked") {
  Serving bench;
  bench.disk.syncing = [&] { return bench.agentClock.sleepFor(5s); };
  bench.say(wire::Command{"u1", {5, 1, 1}, "on"});
  bench.clock.advance(1s);
  bench.say(wire::Revoke{.host = "u1", .term = 5, .lease = 1, .forget = true});
  bench.clock.advance(1s);
  REQUIRE_FALSE(bench.all<wire::CommandResult>().empty());
  CHECK(bench.all<wire::CommandResult>().back().errorCode == "not-asked");
  bench.clock.advance(30s);
  CHECK(bench.resets() == 0);
}

TEST_CASE("a command that is on record, and is cancelled while it waits for its turn once more, was not asked") {
  Serving bench;
  base::Notifier over(bench.runtime.executor);
  bool isStalled = true;
  int syncs = 0;
  const auto sync = [&]() -> base::Task<void> {
    if (++syncs > 1) co_await bench.until(over, isStalled);  // not the command, but what is asked of the BMC
  };
  bench.disk.syncing = sync;
  bench.say(wire::Command{"u1", {5, 1, 1}, "on"});
  bench.clock.advance(1s);
  REQUIRE(syncs > 1);
  bool hangs = true;  // whoever has the turn
  bench.bmc.before = [&](const auto&) { return bench.until(over, hangs); };
  bench.clock.advance(5s);
  isStalled = false;
  over.notifyAll();
  bench.clock.advance(1s);
  REQUIRE(bench.all<wire::CommandResult>().empty());
  bench.stop();
  hangs = false;
  over.notifyAll();
  bench.clock.settle();
  REQUIRE_FALSE(bench.all<wire::CommandResult>().empty());
  CHECK(bench.all<wire::CommandResult>().back().outcome == "refused");
  CHECK(bench.all<wire::CommandResult>().back().errorCode == "not-asked");
  CHECK(bench.resets() == 0);
}
