// Waiting for each other on one loop thread. Names of lifetimes follow Seastar.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"

#include <list>
#include <memory>
#include <string>
#include <utility>

namespace ingot::base {

// Wakes every waiter. `notifyAll` before `wait` is not remembered: check the condition around it.
//   while (!ready()) co_await changed.wait();
class Notifier {
 public:
  explicit Notifier(const Executor& executor);
  ~Notifier();  // waiters still inside are woken with Cancelled
  Notifier(const Notifier&) = delete;
  Notifier& operator=(const Notifier&) = delete;
  void notifyAll();
  [[nodiscard]] Task<void> wait();  // throws Cancelled
  // False when `deadline` came first.
  [[nodiscard]] Task<bool> waitUntil(Clock& clock, MonoTime deadline);

 private:
  struct Waiter;
  std::list<std::shared_ptr<Waiter>> waiters_;
};

// Counted units, first come first served.
class Semaphore {
  struct State;

 public:
  // One unit, given back when it dies. May outlive the semaphore.
  class Units {
   public:
    Units() = default;
    Units(Units&& other) noexcept;
    Units& operator=(Units&& other) noexcept;
    ~Units();
    void release();

   private:
    friend class Semaphore;
    explicit Units(std::shared_ptr<State> owner) : owner_(std::move(owner)) {}
    std::shared_ptr<State> owner_;
  };

  Semaphore(const Executor& executor, std::size_t units);
  ~Semaphore();  // waiters still inside are woken with Cancelled
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;
  [[nodiscard]] Task<Units> acquire();  // throws Cancelled; a cancelled waiter takes no unit
  [[nodiscard]] std::size_t available() const;
  [[nodiscard]] std::size_t waiting() const;

 private:
  std::shared_ptr<State> state_;
};

// Lets somebody who does not own a task ask it to stop.
class AbortSource {
 public:
  AbortSource();
  ~AbortSource();
  AbortSource(const AbortSource&) = delete;
  AbortSource& operator=(const AbortSource&) = delete;

  // Cancels the task inside run(), and every one that comes after.
  void abort();
  [[nodiscard]] bool aborted() const;

  // Runs `task` to its end; the caller's own cancellation reaches it too. Throws what the task threw.
  [[nodiscard]] Task<void> run(Task<void> task);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// Runs `task`; cancels it and throws TimedOut(what) when `limit` has passed on `clock` first.
// The task has ended (by its result, or by its answer to the cancellation) when this returns. A task that was out of
// time and still ended well gives its result: what it did is done. The caller's own cancellation reaches the task.
template <class T>
[[nodiscard]] Task<T> withTimeout(Clock& clock, Duration limit, std::string what, Task<T> task);

// Runs `task`; a cancellation of the caller reaches it only when `grace` has passed on `clock` since. A task that has
// ended well by then gives its result, and the caller stays cancelled. For what the other side may have carried out
// before its answer is here, like a login.
template <class T>
[[nodiscard]] Task<T> withGrace(Clock& clock, Duration grace, Task<T> task);

// Runs `task` to its end where a cancellation of the caller does not reach it. For cleanup: once a coroutine has been
// cancelled, every further wait in it (sleep, Notifier, Semaphore, HTTP, subprocess) throws Cancelled at once, so
//   catch (const Cancelled&) { … } co_await shielded(withTimeout(clock, 2s, "releasing the lease", release()));
// is how a cancelled coroutine may still wait. Bound what you shield: nothing else will stop it.
template <class T>
[[nodiscard]] Task<T> shielded(Task<T> task);

}  // namespace ingot::base

#include "base/sync_impl.hpp"
