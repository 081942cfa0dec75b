#include "base/clock.hpp"
#include "base/run.hpp"
#include "base/runtime.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using base::Task;

namespace {

Task<void> noteAfter(base::Clock& clock, base::Duration d, std::string what, std::vector<std::string>& notes) {
  co_await clock.sleepFor(d);
  notes.push_back(std::move(what));
}

}  // namespace

TEST_CASE("a manual clock wakes sleepers in the order of their wake-up times, equal ones first come first served",
          "[clock]") {
  tests::Loop loop;
  std::vector<std::string> notes;
  base::TaskGroup group(loop.io.get_executor(), base::Log::silent());
  group.spawn("late", noteAfter(loop.clock, 3s, "late", notes));
  group.spawn("first", noteAfter(loop.clock, 1s, "first", notes));
  group.spawn("second", noteAfter(loop.clock, 1s, "second", notes));

  loop.clock.advance(2s);
  CHECK(notes == std::vector<std::string>{"first", "second"});
  loop.clock.advance(2s);
  CHECK(notes.back() == "late");
  CHECK_FALSE(loop.clock.nextWake());
}

TEST_CASE("a sleeper that sleeps again within one advance is woken again", "[clock]") {
  tests::Loop loop;
  const auto ticks = std::make_shared<int>(0);
  base::TaskGroup group(loop.io.get_executor(), base::Log::silent());
  group.spawn("ticker", [](base::Clock& clock, std::shared_ptr<int> count) -> Task<void> {
    while (true) {
      co_await clock.sleepFor(1s);
      ++*count;
    }
  }(loop.clock, ticks));
  loop.clock.advance(10s);
  CHECK(*ticks == 10);
  loop.run(group.close());
}

TEST_CASE("advanceUntil stops at the first wake-up that fulfils the condition", "[clock]") {
  tests::Loop loop;
  std::vector<std::string> notes;
  base::TaskGroup group(loop.io.get_executor(), base::Log::silent());
  for (int i = 1; i <= 3; ++i) group.spawn("note", noteAfter(loop.clock, i * 1min, std::to_string(i), notes));
  const auto start = loop.clock.now();
  CHECK(loop.clock.advanceUntil([&] { return notes.size() == 2; }, 1h));
  CHECK(loop.clock.now() - start == 2min);
  CHECK_FALSE(loop.clock.advanceUntil([&] { return notes.size() == 9; }, 10min));
  CHECK(loop.clock.now() - start == 12min);
}

TEST_CASE("a manual clock starts at the same wall time in every run", "[clock]") {
  tests::Loop loop;
  CHECK(base::formatTime(loop.clock.wall()) == "2026-01-01T00:00:00Z");
  loop.clock.advance(90s);
  CHECK(base::formatTime(loop.clock.wall()) == "2026-01-01T00:01:30Z");
}

TEST_CASE("the system clock sleeps for at least as long as asked and is cancelled with base::Cancelled", "[clock]") {
  boost::asio::io_context io;
  base::SystemClock clock;
  const auto before = clock.now();
  base::run(io, clock.sleepFor(5ms));
  CHECK(clock.now() - before >= 5ms);
  base::run(io, clock.sleepUntil(before - 1h));  // long past: at once
  CHECK_THROWS_AS(base::run(io, base::withTimeout(clock, 5ms, "nap", clock.sleepFor(1h))), base::TimedOut);
}

TEST_CASE("times are written as Kubernetes writes them", "[time]") {
  const auto t = base::WallTime(std::chrono::sys_days(std::chrono::year(2026) / 1 / 31)) + 10h + 5s + 120ms + 7us;
  CHECK(base::formatTime(t) == "2026-01-31T10:00:05Z");
  CHECK(base::formatMicroTime(t) == "2026-01-31T10:00:05.120007Z");
  CHECK(base::parseTime(base::formatMicroTime(t)) == t);
}

TEST_CASE("times are read with any fraction and offset", "[time]") {
  const auto read = [](std::string_view text) { return base::formatMicroTime(base::parseTime(text).value()); };
  CHECK(read("2026-01-31T10:00:00Z") == "2026-01-31T10:00:00.000000Z");
  CHECK(read("2026-01-31T10:00:00.5+02:00") == "2026-01-31T08:00:00.500000Z");
  CHECK(read("2026-01-01T00:10:00.123456789-00:30") == "2026-01-01T00:40:00.123456Z");
  CHECK(read("2024-02-29T23:59:59Z") == "2024-02-29T23:59:59.000000Z");
}

TEST_CASE("what is not a time is refused", "[time]") {
  for (const auto* text : {"", "2026-01-31", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-31T24:00:00Z",
                           "2026-01-31T10:60:00Z", "2026-01-31T10:00:60Z", "2026-01-31 10:00:00Z",
                           "2026-01-31T10:00:00", "2026-01-31T10:00:00.Z", "2026-01-31T10:00:00+2:00",
                           "2026-01-31T10:00:00Zx", "-026-01-31T10:00:00Z", "0001-01-01T00:00:00Z"}) {
    INFO(text);
    CHECK_FALSE(base::parseTime(text));
  }
}

TEST_CASE("an alarm rings once, at its time, and not at all when it has gone before", "[clock]") {
  tests::Loop loop;
  int rung = 0;
  const auto ring = [&rung] { ++rung; };
  const auto executor = loop.io.get_executor();
  const auto kept = loop.clock.alarm(executor, loop.clock.now() + 3s, ring);
  auto dropped = loop.clock.alarm(executor, loop.clock.now() + 3s, ring);
  const auto past = loop.clock.alarm(executor, loop.clock.now() - 1s, ring);
  CHECK(rung == 0);  // never before the loop has its turn
  loop.clock.advance(2s);
  CHECK(rung == 1);
  dropped.reset();
  loop.clock.advance(1s);
  CHECK(rung == 2);
  loop.clock.advance(1h);
  CHECK(rung == 2);
}

TEST_CASE("an alarm that goes between its time and its call is silent", "[clock]") {
  boost::asio::io_context io;
  base::SystemClock clock;
  int rung = 0;
  std::unique_ptr<base::Alarm> second;
  const auto first = clock.alarm(io.get_executor(), clock.now(), [&] {
    ++rung;
    second.reset();
  });
  second = clock.alarm(io.get_executor(), clock.now(), [&rung] { rung += 10; });
  io.run();
  CHECK(rung == 1);
}
