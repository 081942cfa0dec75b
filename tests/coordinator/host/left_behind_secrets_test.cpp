// Secrets whose hosts went while another host could not be read, or while the API failed.
#include "coordinator/host/left_behind_secrets.hpp"

#include "base/error.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

namespace host = coordinator::host;

namespace {

using namespace std::chrono_literals;

// At work, with a cluster that remembers.
struct LeftBehind {
  LeftBehind() { tasks.spawn("releases", secrets.run()); }
  ~LeftBehind() { loop.run(tasks.close()); }

  base::Task<void> release(kube::ObjectKey secret) {
    ++tries[secret];
    if (refused.contains(secret)) throw base::Error("the webhook is down");
    released.insert(secret);
    onRelease();
    co_return;
  }

  Loop loop;
  std::set<std::string> unreadable;  // namespaces
  std::set<kube::ObjectKey> refused, released;
  std::map<kube::ObjectKey, int> tries;
  std::function<void()> onRelease = [] {};
  int questions = 0;
  host::LeftBehindSecrets secrets{loop.runtime,
                                  [this](const std::string& namespace_) {
                                    ++questions;
                                    return unreadable.contains(namespace_);
                                  },
                                  [this](kube::ObjectKey secret) { return release(std::move(secret)); }};
  base::TaskGroup tasks{loop.runtime.executor, loop.runtime.log};
};

TEST_CASE("while a host cannot be read its namespace is asked for, not each Secret of it", "[host][secrets]") {
  LeftBehind w;
  w.unreadable = {"tenant"};
  for (int i = 0; i < 1000; ++i) w.secrets.note({"tenant", std::to_string(i)});
  w.secrets.note({"metal", "bmc"});
  w.loop.clock.advance(10min);
  CHECK(w.released == std::set<kube::ObjectKey>{{"metal", "bmc"}});
  CHECK(w.questions < 50);
}

TEST_CASE("Secrets left behind are released once every host of the namespace can be read, without one that passes",
          "[host][secrets]") {
  LeftBehind w;
  w.unreadable = {"metal"};
  w.secrets.note({"metal", "bmc"});
  w.secrets.note({"metal", "net"});
  w.loop.clock.advance(1h);
  REQUIRE(w.released.empty());
  w.unreadable.clear();
  w.loop.clock.advance(1min);
  CHECK(w.released.size() == 2);
  w.loop.clock.advance(1h);
  CHECK(w.tries == std::map<kube::ObjectKey, int>{{{"metal", "bmc"}, 1}, {{"metal", "net"}, 1}});
}

TEST_CASE("a Secret that the API does not let go is tried again in growing pauses, and holds up no other",
          "[host][secrets]") {
  LeftBehind w;
  const kube::ObjectKey stubborn{"metal", "a"};
  w.refused = {stubborn};
  w.secrets.note(stubborn);
  w.secrets.note({"metal", "b"});
  w.loop.clock.advance(1min);
  CHECK(w.released.contains({"metal", "b"}));
  w.loop.clock.advance(1h);
  CHECK(w.tries[stubborn] > 5);
  CHECK(w.tries[stubborn] < 15);
  w.refused.clear();
  w.loop.clock.advance(10min);
  CHECK(w.released.contains(stubborn));
}

TEST_CASE("a host that becomes unreadable between two releases keeps the Secrets that are left", "[host][secrets]") {
  LeftBehind w;
  w.onRelease = [&] { w.unreadable = {"metal"}; };
  for (const char* name : {"a", "b", "c"}) w.secrets.note({"metal", name});
  w.loop.clock.advance(1h);
  CHECK(w.released.size() == 1);
  w.onRelease = [] {};
  w.unreadable.clear();
  w.loop.clock.advance(1min);
  CHECK(w.released.size() == 3);
}

}  // namespace
}  // namespace ingot::tests
