#include "base/offload.hpp"
#include "base/sync.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/stalling_disk.hpp"

#include <catch2/catch.hpp>

#include <thread>

using namespace ingot;
using namespace ingot::tests;

TEST_CASE("what blocks is done away from the loop, in order, and its end is told on the loop") {
  Loop loop;
  const bool onThread = GENERATE(true, false);
  auto offload = onThread ? base::threadOffload(loop.io.get_executor()) : base::inLineOffload(loop.io.get_executor());
  const auto here = std::this_thread::get_id();
  std::vector<std::string> said;
  std::vector<std::thread::id> workers;
  for (int i = 0; i < 3; ++i)
    offload->start(
        [&workers, i] {
          workers.push_back(std::this_thread::get_id());
          if (i == 1) throw base::Error("no space");
        },
        [&said, here, i](const std::exception_ptr& failure) {
          CHECK(std::this_thread::get_id() == here);
          said.push_back(fmt::format("{}{}", i, failure == nullptr ? "" : " failed"));
        });
  CHECK(said.empty());
  loop.io.run();  // returns when nothing more is to come
  CHECK(said == std::vector<std::string>{"0", "1 failed", "2"});
  REQUIRE(workers.size() == 3);
  CHECK((workers[0] != here) == onThread);
}

TEST_CASE("whoever goes waits for the work that was started") {
  Loop loop;
  bool isDone = false;
  {
    const auto offload = base::threadOffload(loop.io.get_executor());
    offload->start([&] { isDone = true; }, [](const std::exception_ptr&) {});
  }
  CHECK(isDone);
}

namespace {

base::Task<void> waitFor(Loop& loop, base::Offload& disk, std::vector<std::string>& said, bool fails) {
  try {
    co_await base::carriedOut(
        loop.io.get_executor(), disk,
        [&said, fails] {
          said.emplace_back("done");
          if (fails) throw base::Error("no space");
        },
        [&said](const std::exception_ptr& failure) { said.emplace_back(failure ? "ended badly" : "ended"); });
    said.emplace_back("heard");
  } catch (const base::Cancelled&) {
    said.emplace_back("cancelled");
    throw;
  } catch (const base::Error&) {
    said.emplace_back("heard badly");
  }
}

}  // namespace

TEST_CASE("what is waited for is told to `ended` first, and ends though nobody waits any more") {
  using Words = std::vector<std::string>;
  Loop loop;
  StallingDisk disk(loop.io.get_executor());
  Words said;
  const bool fails = GENERATE(false, true);
  const std::string how = fails ? " badly" : "";
  base::TaskGroup group(loop.io.get_executor(), base::Log::silent());
  disk.stall();
  group.spawn("wait", waitFor(loop, disk, said, fails));
  loop.clock.settle();
  CHECK(said.empty());
  SECTION("somebody waits") {
    disk.goOn();
    loop.clock.settle();
    CHECK(said == Words{"done", "ended" + how, "heard" + how});
  }
  SECTION("whoever waited was cancelled") {
    loop.run(group.close());
    CHECK(said == Words{"cancelled"});
    disk.goOn();
    loop.clock.settle();
    CHECK(said == Words{"cancelled", "done", "ended" + how});
  }
  loop.run(group.close());
}
