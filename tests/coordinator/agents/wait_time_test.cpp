// For how long something has been waited for.
#include "coordinator/agents/wait_time.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using coordinator::agents::WaitTime;

TEST_CASE("a wait lasts from its first look to its last one") {
  const base::MonoTime begin{1h};
  WaitTime wait(begin);
  CHECK(wait.lasts() == 0s);
  for (auto at = 0s; at <= 600s; at += 60s) wait.look(begin + at);
  CHECK(wait.lasts() == 10min);
}

TEST_CASE("after a gap of more than a minute a wait begins anew") {
  const base::MonoTime begin{1h};
  WaitTime wait(begin);
  wait.look(begin + 1min);
  wait.look(begin + 2min + 1s);
  CHECK(wait.lasts() == 0s);
  wait.look(begin + 2min + 30s);
  CHECK(wait.lasts() == 29s);
}
