// What ends when a task ends that nothing can do without.
#include "base/vital.hpp"

#include "base/sync.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using base::Task;

namespace {

struct VitalTasks : tests::Loop {
  base::VitalTasks tasks{io.get_executor(), base::Log::silent()};
  bool stopped = false;

  void spawnSleeper() { tasks.spawn("sleeper", sleepLong(*this)); }

  static Task<void> sleepLong(VitalTasks& f) {
    try {
      co_await f.clock.sleepFor(24h);
    } catch (const base::Cancelled&) {
      f.stopped = true;
      throw;
    }
  }
  // Not one of our own exceptions: what nobody thought of.
  static Task<void> breakAfter(base::Clock& clock, base::Duration d) {
    co_await clock.sleepFor(d);
    throw std::out_of_range("it broke");
  }
};

}  // namespace

TEST_CASE_METHOD(VitalTasks, "a vital task that fails stops the others and is thrown where all are waited for",
                 "[task]") {
  spawnSleeper();
  tasks.spawn("worker", breakAfter(clock, 1s));
  CHECK_THROWS_AS(run(tasks.run()), std::out_of_range);
  CHECK(stopped);
}

TEST_CASE_METHOD(VitalTasks, "a vital task that just returns ends the whole too, and is named", "[task]") {
  spawnSleeper();
  tasks.spawn("worker", clock.sleepFor(1s));
  CHECK_THROWS_WITH(run(tasks.run()), "the task \"worker\" ended");
  CHECK(stopped);
}

TEST_CASE_METHOD(VitalTasks, "whoever waits for vital tasks can be asked to stop, and they stop with it", "[task]") {
  spawnSleeper();
  CHECK_THROWS_AS(run(base::withTimeout(clock, 1min, "waiting", tasks.run())), base::TimedOut);
  CHECK(stopped);
}

TEST_CASE_METHOD(VitalTasks, "closing vital tasks is no failure of theirs; tasks beside them may end", "[task]") {
  spawnSleeper();
  tasks.group().spawn("helper", breakAfter(clock, 1s));
  clock.advance(2s);
  CHECK_FALSE(stopped);
  run(tasks.close());
  CHECK(stopped);
}
