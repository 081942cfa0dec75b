// SIGTERM and SIGINT as something to wait for.
#pragma once

#include "base/task.hpp"

#include <memory>

namespace ingot::base {

// Takes both signals over from construction on. After the first one the default action is back: a second one kills.
class StopSignal {
 public:
  explicit StopSignal(Executor executor);
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  // The signal's number, also when it came before this call. Throws Cancelled.
  [[nodiscard]] Task<int> wait();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace ingot::base
