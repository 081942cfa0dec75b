// Coroutines and who owns them. Everything runs on one loop thread: no locks.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>

namespace ingot::base {

template <class T = void>
using Task = boost::asio::awaitable<T>;

using Executor = boost::asio::any_io_executor;

class Log;

// Owns detached coroutines: none of them outlives `co_await group.close()`.
// A task that ends by an exception other than Cancelled is logged by name; the group goes on.
//
// Cancellation, for everything that runs in a group (and below withTimeout and shielded):
//  - the wait that a task is in, and every later one, throws base::Cancelled; it stays cancelled, so a loop that
//    swallows Cancelled spins through its waits without pausing: let it through;
//  - asio's habit of throwing system_error(operation_aborted) at any co_await after a cancellation is switched off, so
//    awaiting a function of ours that does not wait (a pure computation, a cache hit) still works;
//  - cleanup that has to wait runs inside base::shielded() (base/sync.hpp). TaskGroup::close() and join() always wait.
class TaskGroup {
 public:
  TaskGroup(Executor executor, Log log);
  ~TaskGroup();  // asserts that close() has finished or that nothing was ever spawned
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  // The task starts through the loop, never inside this call. Refused (destroyed unrun) once close() was called.
  void spawn(std::string name, Task<void> task);

  // Asks every task to stop (asio terminal cancellation) and waits until all have. Idempotent; also waits when the
  // caller itself is cancelled. Never call it from a task of the group.
  [[nodiscard]] Task<void> close();

  // Waits until no task is running, without asking any to stop.
  [[nodiscard]] Task<void> join();

  [[nodiscard]] std::size_t running() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace ingot::base
