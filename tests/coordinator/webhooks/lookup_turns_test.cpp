// Who asks the API when, for reviews that look other objects up.
#include "coordinator/webhooks/lookup_turns.hpp"

#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

#include <deque>
#include <set>

using namespace ingot;
using coordinator::webhooks::LookupTurns;

namespace {

// Reviews that ask, each by its name; a turn lasts until it is told to end.
struct Asking : tests::Loop {
  explicit Asking(LookupTurns::Limits limits) : turns(io.get_executor(), limits) {}
  ~Asking() { run(tasks.close()); }

  void ask(const std::string& namespace_, const std::string& name) {
    tasks.spawn(name, turnOf(namespace_, name));
    clock.settle();
  }
  // The first of those whose turn it is.
  void endOne() {
    ended.insert(now.front());
    now.pop_front();
    changed.notifyAll();
    clock.settle();
  }

  LookupTurns turns;
  std::deque<std::string> now;  // whose turn it is
  std::set<std::string> ended;
  base::Notifier changed{io.get_executor()};
  base::TaskGroup tasks{runtime.executor, runtime.log};

 private:
  base::Task<void> turnOf(std::string namespace_, std::string name) {
    LookupTurns::Review review(turns, namespace_);
    LookupTurns::Turn turn(review);
    co_await turn.come();
    now.push_back(name);
    while (!ended.contains(name)) co_await changed.wait();
  }
};

using Names = std::deque<std::string>;

}  // namespace

TEST_CASE("turns go around among namespaces, and within one in the order of asking", "[webhooks]") {
  Asking all({.turns = 1, .reviews = 40});
  for (const char* name : {"a1", "a2", "a3"}) all.ask("a", name);
  for (const char* name : {"b1", "b2"}) all.ask("b", name);
  all.ask("c", "c1");
  Names order;
  while (!all.now.empty()) {
    CHECK(all.now.size() == 1);
    order.push_back(all.now.front());
    all.endOne();
  }
  CHECK(order == Names{"a1", "a2", "b1", "c1", "a3", "b2"});
}

TEST_CASE("one namespace has half of the turns that the others leave, and each one at least", "[webhooks]") {
  Asking all({.turns = 4, .reviews = 40});
  for (const char* name : {"a1", "a2", "a3"}) all.ask("a", name);
  CHECK(all.now == Names{"a1", "a2"});
  for (const char* name : {"b1", "b2"}) all.ask("b", name);
  CHECK(all.now == Names{"a1", "a2", "b1"});
  for (const char* name : {"c", "d"}) all.ask(name, name);
  CHECK(all.now == Names{"a1", "a2", "b1", "c"});
  all.endOne();
  CHECK(all.now == Names{"a2", "b1", "c", "d"});
}

TEST_CASE("who is cancelled while waiting leaves the line, and who has a turn gives it on", "[webhooks]") {
  tests::Loop loop;
  LookupTurns turns(loop.io.get_executor(), {.turns = 1, .reviews = 40});
  const auto hold = [](LookupTurns& all, std::string namespace_, base::Clock& clock) -> base::Task<void> {
    LookupTurns::Review review(all, namespace_);
    LookupTurns::Turn turn(review);
    co_await turn.come();
    co_await clock.sleepFor(std::chrono::hours(1));
  };
  base::TaskGroup holders(loop.runtime.executor, loop.runtime.log), waiters(loop.runtime.executor, loop.runtime.log);
  holders.spawn("holder", hold(turns, "a", loop.clock));
  loop.clock.settle();
  waiters.spawn("waiter", hold(turns, "b", loop.clock));
  loop.clock.settle();
  loop.run(waiters.close());
  loop.run(holders.close());
  LookupTurns::Review review(turns, "c");
  LookupTurns::Turn turn(review);
  loop.run(base::withTimeout(loop.clock, std::chrono::seconds(1), "a turn that somebody keeps", turn.come()));
}

TEST_CASE("a namespace has half of the room for reviews that the others leave", "[webhooks]") {
  tests::Loop loop;
  LookupTurns turns(loop.io.get_executor(), {.turns = 4, .reviews = 8});
  std::deque<LookupTurns::Review> reviews;
  const auto fill = [&](const std::string& namespace_) {
    std::size_t count = 0;
    for (; turns.hasRoomFor(namespace_); ++count) reviews.emplace_back(turns, namespace_);
    return count;
  };
  CHECK(fill("a") == 4);
  CHECK(fill("b") == 2);
  CHECK(fill("c") == 1);
  CHECK(fill("d") == 1);
  CHECK(fill("e") == 0);
  CHECK(fill("a") == 0);
  reviews.pop_front();
  CHECK(fill("e") == 1);
}
