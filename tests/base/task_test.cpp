// Lifetimes and cancellation: what every other part relies on.
#include "base/sync.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using base::Task;

namespace {

struct TaskFixture : tests::Loop {
  std::shared_ptr<base::MemorySink> sink = std::make_shared<base::MemorySink>();
  base::TaskGroup group{io.get_executor(), base::Log(sink, "test")};
  std::vector<std::string> notes;

  void settle() { clock.settle(); }
};

// Waits for `task` and writes down how that ended.
Task<void> noteEnd(Task<void> task, std::vector<std::string>& notes) {
  try {
    co_await std::move(task);
    notes.push_back("done");
  } catch (const base::Cancelled&) {
    notes.push_back("cancelled");
    throw;
  }
}

Task<void> fail() {
  throw base::Error("it broke");
  co_return;
}

Task<int> answerAfter(base::Clock& clock, base::Duration d, int answer) {
  co_await clock.sleepFor(d);
  co_return answer;
}

}  // namespace

TEST_CASE_METHOD(TaskFixture, "closing a group cancels what its tasks wait for and returns when all have ended",
                 "[task]") {
  base::Notifier notifier(io.get_executor());
  base::Semaphore semaphore(io.get_executor(), 0);
  group.spawn("sleeper", noteEnd(clock.sleepFor(1h), notes));
  group.spawn("waiter", noteEnd(notifier.wait(), notes));
  group.spawn("acquirer",
              noteEnd([](base::Semaphore& s) -> Task<void> { (void)co_await s.acquire(); }(semaphore), notes));
  settle();
  CHECK(group.running() == 3);
  run(group.close());
  CHECK(group.running() == 0);
  CHECK(notes == std::vector<std::string>{"cancelled", "cancelled", "cancelled"});
  CHECK_FALSE(clock.nextWake());
  CHECK(semaphore.waiting() == 0);
}

TEST_CASE_METHOD(TaskFixture, "spawn never runs the task inside the call; what is closed before it starts never runs",
                 "[task]") {
  group.spawn("task", noteEnd(clock.sleepFor(0s), notes));
  CHECK(notes.empty());
  settle();
  CHECK(notes == std::vector<std::string>{"done"});
  notes.clear();
  run([](base::TaskGroup& g, base::Clock& c, std::vector<std::string>& out) -> Task<void> {
    g.spawn("never", noteEnd(c.sleepFor(0s), out));
    co_await g.close();
  }(group, clock, notes));
  CHECK(notes.empty());
  group.spawn("too late", noteEnd(clock.sleepFor(0s), notes));
  settle();
  CHECK(notes.empty());
  run(group.close());  // twice is fine
}

TEST_CASE_METHOD(TaskFixture, "a task that fails is logged by name and does not disturb the others", "[task]") {
  group.spawn("poller", fail());
  group.spawn("other", noteEnd(clock.sleepFor(1s), notes));
  run(group.join());
  CHECK(sink->contains("task=poller"));
  CHECK(sink->contains("it broke"));
  CHECK(notes == std::vector<std::string>{"done"});
}

TEST_CASE_METHOD(TaskFixture, "after a cancellation every further wait throws, and code that does not wait still runs",
                 "[task]") {
  group.spawn("stubborn", [](base::Clock& c, std::vector<std::string>& out) -> Task<void> {
    for (int i = 0; i < 3; ++i) {
      try {
        co_await c.sleepFor(1h);
      } catch (const base::Cancelled&) {
        out.push_back("cancelled");
      }
    }
    const auto pure = [](int v) -> Task<int> { co_return v; };
    out.push_back(std::to_string(co_await pure(7)));
  }(clock, notes));
  settle();
  run(group.close());
  CHECK(notes == std::vector<std::string>{"cancelled", "cancelled", "cancelled", "7"});
}

TEST_CASE_METHOD(TaskFixture, "cleanup of a cancelled task may wait inside shielded()", "[task]") {
  group.spawn("holder", [](base::Clock& c, std::vector<std::string>& out) -> Task<void> {
    bool stop = false;
    try {
      co_await c.sleepFor(1h);
    } catch (const base::Cancelled&) {
      stop = true;
    }
    if (stop) out.push_back(std::to_string(co_await base::shielded(answerAfter(c, 2s, 42))));
  }(clock, notes));
  settle();
  const auto start = clock.now();
  run(group.close());
  CHECK(notes == std::vector<std::string>{"42"});
  CHECK(clock.now() - start == 2s);
}

TEST_CASE_METHOD(TaskFixture,
                 "withGrace lets a task that is cancelled go on for so long, and its caller stays cancelled",
                 "[timeout]") {
  const auto lasts = GENERATE(2s, 20s);
  group.spawn("holder", [](base::Clock& c, std::vector<std::string>& out, base::Duration time) -> Task<void> {
    out.push_back(std::to_string(co_await base::withGrace(c, 5s, answerAfter(c, time, 42))));
    co_await noteEnd(c.sleepFor(1h), out);
  }(clock, notes, lasts));
  settle();
  const auto start = clock.now();
  run(group.close());
  const bool isInTime = lasts == 2s;
  CHECK(clock.now() - start == (isInTime ? 2s : 5s));
  CHECK(notes == (isInTime ? std::vector<std::string>{"42", "cancelled"} : std::vector<std::string>{}));
  CHECK_FALSE(clock.nextWake());
}

TEST_CASE_METHOD(TaskFixture, "withGrace changes nothing for whom nobody cancels", "[timeout]") {
  CHECK(run(base::withGrace(clock, 1s, answerAfter(clock, 20s, 42))) == 42);
  CHECK_THROWS_WITH(run(base::withGrace(clock, 1s, fail())), "it broke");
  CHECK_FALSE(clock.nextWake());
}

TEST_CASE_METHOD(TaskFixture, "withTimeout gives the result in time and TimedOut past it", "[timeout]") {
  CHECK(run(base::withTimeout(clock, 2s, "answer", answerAfter(clock, 1s, 42))) == 42);
  const auto start = clock.now();
  CHECK_THROWS_AS(run(base::withTimeout(clock, 2s, "answer", answerAfter(clock, 1h, 42))), base::TimedOut);
  CHECK(clock.now() - start == 2s);
  CHECK_THROWS_WITH(run(base::withTimeout(clock, 2s, "reading power", clock.sleepFor(1h))), "reading power");
  CHECK_THROWS_WITH(run(base::withTimeout(clock, 2s, "x", fail())), "it broke");
  CHECK_FALSE(clock.nextWake());  // no timer is left behind
}

TEST_CASE_METHOD(TaskFixture, "when withTimeout returns the task has ended, cleanup included", "[timeout]") {
  auto slow = [](base::Clock& c, std::vector<std::string>& out) -> Task<void> {
    bool stop = false;
    try {
      co_await c.sleepFor(1h);
    } catch (const base::Cancelled&) {
      stop = true;
    }
    if (stop) co_await base::shielded(c.sleepFor(3s));
    out.push_back("cleaned up");
    throw base::Cancelled();
  };
  const auto start = clock.now();
  CHECK_THROWS_AS(run(base::withTimeout(clock, 2s, "slow", slow(clock, notes))), base::TimedOut);
  CHECK(notes == std::vector<std::string>{"cleaned up"});
  CHECK(clock.now() - start == 5s);
}

TEST_CASE_METHOD(TaskFixture, "cancelling the caller of withTimeout cancels the task: Cancelled, not TimedOut",
                 "[timeout]") {
  group.spawn("caller", noteEnd(base::withTimeout(clock, 1h, "inner", noteEnd(clock.sleepFor(2h), notes)), notes));
  settle();
  run(group.close());
  CHECK(notes == std::vector<std::string>{"cancelled", "cancelled"});
}

TEST_CASE_METHOD(TaskFixture, "an AbortSource stops a task for somebody who does not own it", "[abort]") {
  base::AbortSource source;
  group.spawn("job", noteEnd(source.run(clock.sleepFor(1h)), notes));
  settle();
  CHECK(notes.empty());
  source.abort();
  settle();
  CHECK(notes == std::vector<std::string>{"cancelled"});
  CHECK_THROWS_AS(run(source.run(clock.sleepFor(1s))), base::Cancelled);
}

TEST_CASE_METHOD(TaskFixture, "a notifier wakes all who wait now, and nobody who comes later", "[notifier]") {
  base::Notifier notifier(io.get_executor());
  notifier.notifyAll();
  group.spawn("a", noteEnd(notifier.wait(), notes));
  group.spawn("b", noteEnd(notifier.wait(), notes));
  settle();
  CHECK(notes.empty());
  notifier.notifyAll();
  settle();
  CHECK(notes.size() == 2);
}

TEST_CASE_METHOD(TaskFixture, "waitUntil tells a notification from the deadline", "[notifier]") {
  base::Notifier notifier(io.get_executor());
  CHECK_FALSE(run(notifier.waitUntil(clock, clock.now() + 5s)));
  group.spawn("notifier", [](base::Clock& c, base::Notifier& n) -> Task<void> {
    co_await c.sleepFor(1s);
    n.notifyAll();
  }(clock, notifier));
  CHECK(run(notifier.waitUntil(clock, clock.now() + 5s)));
  CHECK_FALSE(clock.nextWake());
}

TEST_CASE_METHOD(TaskFixture, "a wait until a deadline that is cancelled, or whose notifier dies, ends in Cancelled",
                 "[notifier]") {
  auto notifier = std::make_unique<base::Notifier>(io.get_executor());
  const auto waiting = [](base::Clock& c, base::Notifier& n) -> Task<void> {
    (void)co_await n.waitUntil(c, c.now() + 1h);
  };
  group.spawn("waiter", noteEnd(waiting(clock, *notifier), notes));
  settle();
  SECTION("cancelled") { run(group.close()); }
  SECTION("the notifier dies") { notifier.reset(); }
  settle();
  CHECK(notes == std::vector<std::string>{"cancelled"});
  CHECK_FALSE(clock.nextWake());
}

TEST_CASE_METHOD(TaskFixture, "who ran out of time is forgotten by the notifier, and can wait again", "[notifier]") {
  base::Notifier notifier(io.get_executor());
  for (int i = 0; i < 3; ++i) CHECK_FALSE(run(notifier.waitUntil(clock, clock.now() - 1s)));
  notifier.notifyAll();
  const auto begin = clock.now();
  CHECK_FALSE(run(notifier.waitUntil(clock, begin + 2s)));
  CHECK(clock.now() - begin == 2s);
}

TEST_CASE_METHOD(TaskFixture, "a notifier that dies wakes its waiters with Cancelled", "[notifier]") {
  auto notifier = std::make_unique<base::Notifier>(io.get_executor());
  group.spawn("waiter", noteEnd(notifier->wait(), notes));
  settle();
  notifier.reset();
  settle();
  CHECK(notes == std::vector<std::string>{"cancelled"});
}

TEST_CASE_METHOD(TaskFixture, "a semaphore serves in order of arrival", "[semaphore]") {
  base::Semaphore semaphore(io.get_executor(), 1);
  auto use = [](base::Semaphore& s, base::Clock& c, std::string name, std::vector<std::string>& out) -> Task<void> {
    const auto unit = co_await s.acquire();
    out.push_back(name);
    co_await c.sleepFor(1s);
  };
  for (const auto* name : {"a", "b", "c", "d"}) group.spawn(name, use(semaphore, clock, name, notes));
  settle();
  CHECK(semaphore.available() == 0);
  CHECK(semaphore.waiting() == 3);
  run(group.join());
  CHECK(notes == std::vector<std::string>{"a", "b", "c", "d"});
  CHECK(semaphore.available() == 1);
}

TEST_CASE_METHOD(TaskFixture, "a cancelled waiter of a semaphore takes no unit", "[semaphore]") {
  base::Semaphore semaphore(io.get_executor(), 1);
  auto unit = run(semaphore.acquire());
  CHECK_THROWS_AS(run(base::withTimeout(clock, 1s, "unit", semaphore.acquire())), base::TimedOut);
  unit.release();
  CHECK(semaphore.available() == 1);
  auto moved = run(semaphore.acquire());
  auto again = std::move(moved);
  CHECK(semaphore.available() == 0);
}

TEST_CASE_METHOD(TaskFixture, "units may outlive their semaphore", "[semaphore]") {
  base::Semaphore::Units unit;
  {
    base::Semaphore semaphore(io.get_executor(), 1);
    unit = run(semaphore.acquire());
  }
  unit.release();
}
