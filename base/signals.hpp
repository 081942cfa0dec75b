// SIGTERM and SIGINT, and SIGHUP for who wants it, as something to wait for.
#pragma once

#include "base/task.hpp"

#include <cstdint>
#include <memory>

namespace ingot::base {

// Takes the signals over from construction on. After the first one the default action is back: a second one kills.
// SIGINT is left as it is where the caller has it ignored (`trap '' INT`, a script's `&`): it is meant for the others.
class StopSignal {
 public:
  // Of the terminal that is gone: as before, or one that stops. Where it is ignored (nohup) it is left so.
  enum class Hangup : std::uint8_t { untouched, stops };
  explicit StopSignal(Executor executor, Hangup hangup = Hangup::untouched);
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
