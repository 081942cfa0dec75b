#include "base/vital.hpp"

#include "base/sync.hpp"

namespace ingot::base {

struct VitalTasks::State {
  explicit State(const Executor& executor) : changed(executor) {}
  Notifier changed;
  bool closing = false;
  std::exception_ptr end;  // of the first that ended

  void ended(std::exception_ptr why) {
    if (closing || end) return;
    end = std::move(why);
    changed.notifyAll();
  }

  static Task<void> watchOver(std::shared_ptr<State> state, std::string name, Task<void> task) {
    try {
      co_await std::move(task);
    } catch (const Cancelled&) {
      state->ended(std::make_exception_ptr(Error("the task \"" + name + "\" was cancelled")));
      throw;
    } catch (...) {
      state->ended(std::current_exception());
      throw;
    }
    state->ended(std::make_exception_ptr(Error("the task \"" + name + "\" ended")));
  }
};

VitalTasks::VitalTasks(const Executor& executor, Log log)
    : state_(std::make_shared<State>(executor)), group_(executor, std::move(log)) {}

VitalTasks::~VitalTasks() = default;

void VitalTasks::spawn(std::string name, Task<void> task) {
  auto watched = State::watchOver(state_, name, std::move(task));
  group_.spawn(std::move(name), std::move(watched));
}

Task<void> VitalTasks::failed() {
  const auto state = state_;
  while (!state->end) co_await state->changed.wait();
  std::rethrow_exception(state->end);
}

Task<void> VitalTasks::run() {
  std::exception_ptr why;
  try {
    co_await failed();
  } catch (...) {
    why = std::current_exception();
  }
  co_await close();
  std::rethrow_exception(why);
}

Task<void> VitalTasks::close() {
  state_->closing = true;
  co_await group_.close();
}

}  // namespace ingot::base
