// Waiting for each other on one loop thread. Names of lifetimes follow Seastar.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"

#include <list>

namespace ingot::base {

// Wakes every waiter. `notifyAll` before `wait` is not remembered: check the condition around it.
//   while (!ready()) co_await changed.wait();
class Notifier {
 public:
  explicit Notifier(Executor executor);
  ~Notifier();  // waiters still inside are woken with Cancelled
  void notifyAll();
  [[nodiscard]] Task<void> wait();  // throws Cancelled
  // False when `deadline` came first.
  [[nodiscard]] Task<bool> waitUntil(Clock& clock, MonoTime deadline);

 private:
  struct Waiter;
  Executor executor_;
  std::list<std::shared_ptr<Waiter>> waiters_;
};

// Counted units, first come first served.
class Semaphore {
 public:
  class Units {
   public:
    Units() = default;
    Units(Units&& other) noexcept;
    Units& operator=(Units&& other) noexcept;
    ~Units();
    void release();

   private:
    friend class Semaphore;
    explicit Units(Semaphore* owner) : owner_(owner) {}
    Semaphore* owner_ = nullptr;
  };

  Semaphore(Executor executor, std::size_t units);
  [[nodiscard]] Task<Units> acquire();  // throws Cancelled; a cancelled waiter takes no unit
  [[nodiscard]] std::size_t available() const;
  [[nodiscard]] std::size_t waiting() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// Runs `task`; cancels it and throws TimedOut(what) when `limit` has passed on `clock` first.
// The task has ended (by its result, or by its answer to the cancellation) when this returns.
template <class T>
[[nodiscard]] Task<T> withTimeout(Clock& clock, Duration limit, std::string what, Task<T> task);

}  // namespace ingot::base

#include "base/sync_impl.hpp"
