// What blocks, run away from the loop thread: one piece of work after the other.
#pragma once

#include "base/task.hpp"

#include <exception>
#include <functional>
#include <memory>

namespace ingot::base {

class Offload {
 public:
  using Work = std::function<void()>;
  using Done = std::function<void(std::exception_ptr failure)>;  // nullptr: it has ended well

  virtual ~Offload() = default;  // waits for the work at hand; its `done` may never be called then
  // `done` is called on the loop. In the order in which they are started.
  virtual void start(Work work, Done done) = 0;
};

// Starts it, and returns when it has ended. Throws what it throws. Whoever waits may be cancelled; it ends all the
// same, which `ended` is told first.
[[nodiscard]] Task<void> carriedOut(Executor executor, Offload& offload, Offload::Work work, Offload::Done ended = {});

// On a thread of its own / on the loop itself, for simulation and tests.
[[nodiscard]] std::unique_ptr<Offload> threadOffload(Executor executor);
[[nodiscard]] std::unique_ptr<Offload> inLineOffload(Executor executor);

}  // namespace ingot::base
