#include "kube/runtime/queue.hpp"
#include "base/run.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using kube::Priority;

namespace {

kube::ObjectKey named(std::string name) { return {"", std::move(name)}; }

struct Waiting {
  tests::Loop loop;
  kube::Queue queue{loop.runtime, {1s, 10s, 2.0, 0.0}};

  std::string take() { return base::run(loop.io, loop.clock, queue.next()).name; }
  std::string takeAndFinish() {
    const std::string name = take();
    queue.done(named(name));
    return name;
  }
  base::Duration after(auto&& what) {
    const auto begun = loop.clock.now();
    what();
    return loop.clock.now() - begun;
  }
};

}  // namespace

TEST_CASE("a key added many times comes once", "[kube][queue]") {
  Waiting w;
  for (int i = 0; i < 5; ++i) w.queue.add(named("a"));
  w.queue.add(named("b"));
  CHECK(w.takeAndFinish() == "a");
  CHECK(w.takeAndFinish() == "b");
  CHECK(w.queue.idle());
}

TEST_CASE("changes go before the backlog, and a change lifts a key out of it", "[kube][queue]") {
  Waiting w;
  for (const char* name : {"a", "b", "c"}) w.queue.add(named(name), Priority::backlog);
  w.queue.add(named("new"));
  w.queue.add(named("c"));
  CHECK(w.takeAndFinish() == "c");  // a change now, and it came first
  CHECK(w.takeAndFinish() == "new");
  CHECK(w.takeAndFinish() == "a");
  CHECK(w.takeAndFinish() == "b");
}

TEST_CASE("news that is to be looked at later lifts a key out of the backlog, too", "[kube][queue]") {
  Waiting w;
  for (const char* name : {"a", "b", "c", "late"}) w.queue.add(named(name), Priority::backlog);
  w.queue.add(named("c"), Priority::change, 1s);  // that is due anyway
  w.queue.add(named("new"), Priority::change, 1s);
  w.loop.clock.advance(1s);
  CHECK(w.takeAndFinish() == "c");
  CHECK(w.takeAndFinish() == "new");
  CHECK(w.takeAndFinish() == "a");
}

TEST_CASE("what was begun goes on before something new is begun", "[kube][queue]") {
  Waiting w;
  w.queue.add(named("new"), Priority::added);
  w.queue.addAfter(named("begun"), 0s);
  w.queue.add(named("there"), Priority::backlog);
  CHECK(w.takeAndFinish() == "begun");
  CHECK(w.takeAndFinish() == "new");
  CHECK(w.takeAndFinish() == "there");
}

TEST_CASE("a queue that never empties starves nobody", "[kube][queue]") {
  Waiting w;
  w.queue.add(named("there"), Priority::backlog);
  int taken = 0;
  for (bool found = false; !found; ++taken) {
    w.queue.add(named(fmt::format("busy {}", taken)));
    w.queue.add(named(fmt::format("busier {}", taken)));
    found = w.takeAndFinish() == "there";
  }
  CHECK(taken == 8);
}

TEST_CASE("a queue that never runs out of changes and new objects starves nobody", "[kube][queue]") {
  Waiting w;
  w.queue.add(named("there"), Priority::backlog);
  int taken = 0;
  for (bool found = false; !found && taken < 100; ++taken) {
    w.loop.clock.advance(1ms);
    w.queue.add(named(fmt::format("busy {}", taken)));
    w.queue.add(named(fmt::format("new {}", taken)), Priority::added);
    found = w.takeAndFinish() == "there";
  }
  CHECK(taken == 8);
}

TEST_CASE("the earliest wake-up wins", "[kube][queue]") {
  Waiting w;
  w.queue.addAfter(named("a"), 10s);
  w.queue.addAfter(named("a"), 3s);
  w.queue.addAfter(named("a"), 20s);
  CHECK(w.after([&] { w.takeAndFinish(); }) == 3s);
  CHECK(w.queue.size() == 0);
}

TEST_CASE("news is looked at as late as it says, and no later than was meant before", "[kube][queue]") {
  Waiting w;
  w.queue.add(named("a"), Priority::change, 10s);
  w.queue.add(named("a"), Priority::change, 3s);
  w.queue.add(named("a"), Priority::change, 20s);
  CHECK(w.after([&] { w.takeAndFinish(); }) == 3s);
}

TEST_CASE("a waiting key that changes is due at once", "[kube][queue]") {
  Waiting w;
  w.queue.addAfter(named("a"), 1min);
  w.queue.add(named("a"));
  CHECK(w.after([&] { w.takeAndFinish(); }) == 0s);
}

TEST_CASE("a held key is given to nobody else, and comes again when it was added meanwhile", "[kube][queue]") {
  Waiting w;
  w.queue.add(named("a"));
  CHECK(w.take() == "a");
  w.queue.add(named("a"));
  w.queue.add(named("b"));
  CHECK(w.take() == "b");
  CHECK(w.queue.held() == 2);
  w.queue.done(named("a"));
  CHECK(w.take() == "a");
}

TEST_CASE("each failure doubles the wait of its key, up to the cap, until it does well", "[kube][queue]") {
  Waiting w;
  for (const auto wanted : {1s, 2s, 4s, 8s, 10s, 10s}) {
    w.queue.retry(named("a"));
    CHECK(w.after([&] { w.takeAndFinish(); }) == wanted);
  }
  w.queue.forget(named("a"));
  w.queue.retry(named("a"));
  CHECK(w.after([&] { w.takeAndFinish(); }) == 1s);
}

TEST_CASE("all back-offs end at once when told so, other waits go on", "[kube][queue]") {
  Waiting w;
  for (int i = 0; i < 4; ++i) w.queue.retry(named("a")), w.takeAndFinish();
  w.queue.retry(named("a"));
  w.queue.addAfter(named("b"), 5s);
  w.queue.endBackoffs();
  CHECK(w.after([&] { CHECK(w.takeAndFinish() == "a"); }) == 0s);
  CHECK(w.after([&] { CHECK(w.takeAndFinish() == "b"); }) == 5s);
  CHECK(w.queue.failures(named("a")) == 0);
}

TEST_CASE("a back-off that is overtaken by a plain wake-up is no back-off any more", "[kube][queue]") {
  Waiting w;
  w.queue.addAfter(named("a"), 100ms);
  w.queue.retry(named("a"));  // later: loses
  w.queue.endBackoffs();
  CHECK(w.after([&] { w.takeAndFinish(); }) == 100ms);
}
