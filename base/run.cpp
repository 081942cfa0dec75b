#include "base/run.hpp"

#include <boost/asio/co_spawn.hpp>

namespace asio = boost::asio;

namespace ingot::base::detail {
namespace {

struct Outcome {
  bool ended = false;
  std::exception_ptr why;
};

std::shared_ptr<Outcome> start(asio::io_context& loop, Task<void> task) {
  auto outcome = std::make_shared<Outcome>();
  asio::co_spawn(loop, std::move(task), [outcome](const std::exception_ptr& why) {
    outcome->ended = true;
    outcome->why = why;
  });
  return outcome;
}

}  // namespace

void runToEnd(asio::io_context& loop, Task<void> task) {
  const auto outcome = start(loop, std::move(task));
  loop.restart();
  while (!outcome->ended && loop.run_one() > 0) {
  }
  if (!outcome->ended) throw Error("the loop ran out of work before the task ended");
  if (outcome->why) std::rethrow_exception(outcome->why);
}

void runToEnd(asio::io_context& loop, ManualClock& clock, Duration limit, Task<void> task) {
  const auto outcome = start(loop, std::move(task));
  if (!clock.advanceUntil([&] { return outcome->ended; }, limit)) throw TimedOut("the task still runs at its limit");
  if (outcome->why) std::rethrow_exception(outcome->why);
}

}  // namespace ingot::base::detail
