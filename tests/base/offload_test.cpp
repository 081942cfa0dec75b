#include "base/offload.hpp"
#include "tests/support/loop.hpp"

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
