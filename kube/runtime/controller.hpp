// Runs a reconciler: caches feed a queue, workers empty it.
//
// The reconciler gets a key, never an event, and says when it wants to see the key again. Guarantees:
//  - one key is never reconciled twice at a time;
//  - a change during a reconcile leads to another one;
//  - a key is not reconciled before the main cache has seen our own last write to it (Cache::expect);
//  - an exception means "again, with back-off"; it is logged and counted as a failure, the others go on. Nobody's fault
//    are a conflict and Moved, and NotReady says itself when to look again;
//  - "again at once" is done at once only so many times in a row: a reconciler that goes in circles is slowed down and
//    logged, instead of writing as fast as the API answers.
#pragma once

#include "kube/runtime/cache.hpp"
#include "kube/runtime/controller_metrics.hpp"
#include "kube/runtime/not_ready.hpp"
#include "kube/runtime/queue.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ingot::kube {

class Next {
 public:
  [[nodiscard]] static Next onChange() { return Next(Kind::onChange, {}); }
  [[nodiscard]] static Next after(base::Duration delay) { return Next(Kind::after, delay); }
  [[nodiscard]] static Next now() { return Next(Kind::after, {}); }
  // Again with this key's growing back-off, without calling it an error.
  [[nodiscard]] static Next withBackoff() { return Next(Kind::backoff, {}); }

  enum class Kind { onChange, after, backoff };
  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] base::Duration delay() const { return delay_; }

 private:
  Next(Kind kind, base::Duration delay) : kind_(kind), delay_(delay) {}
  Kind kind_;
  base::Duration delay_;
};

class Reconciler {
 public:
  virtual ~Reconciler() = default;
  [[nodiscard]] virtual base::Task<Next> reconcile(ObjectKey key) = 0;
};

// What whoever runs a process may want otherwise than a controller has it.
struct Tuning {
  std::optional<std::size_t> concurrency = std::nullopt;
  base::Duration syncPeriod{};
};

struct ControllerOptions {
  std::string name = "controller";
  std::size_t concurrency = 8;
  base::Backoff backoff{std::chrono::milliseconds(100), std::chrono::minutes(10)};
  // "Again at once" for one key: so often without a wait, then with these delays, until it waits or ends.
  unsigned immediateRepeats = 20;
  base::Backoff repeatBackoff{std::chrono::milliseconds(200), std::chrono::seconds(30)};
  base::Duration longestWaitForOwnWrite = std::chrono::seconds(60);  // then it runs anyway, with a warning
  base::Metrics* metrics = nullptr;  // the page that shows what every controller counts; outlives the controller
  // So often every object of the main kind is looked at again, changed or not, after whatever else is due; zero: never.
  base::Duration syncPeriod{};
};

class Controller {
 public:
  // `reconciler` outlives run().
  Controller(base::Runtime runtime, ControllerOptions options, Reconciler& reconciler);

  // The kind that is reconciled: its changes lead to its own key, and its own writes are waited for.
  // With `matters`, a change of an object that is there before and after counts only when that says so (our own status
  // write must not end the back-off that we just asked for); objects that come or go always count.
  template <Kind T>
  void watchMain(Cache<T>& cache, std::function<bool(const T& before, const T& after)> matters = {});
  // Changes of another kind, mapped to the keys that depend on them; `matters` as above.
  template <Kind T>
  void watch(Cache<T>& cache, std::function<std::vector<ObjectKey>(const T&)> affected,
             std::function<bool(const T& before, const T& after)> matters = {});

  // Waits for all watched caches, then works until cancelled; running reconciles are cancelled too and waited for.
  [[nodiscard]] base::Task<void> run();

  [[nodiscard]] Queue& queue() { return queue_; }

 private:
  void setMain(CacheBase& cache);
  void showOnPage();
  [[nodiscard]] base::Task<void> lookAtAllAgain();
  [[nodiscard]] base::Task<void> dispatch(base::TaskGroup& jobs);
  [[nodiscard]] base::Task<void> process(ObjectKey key, base::Semaphore::Units slot);
  [[nodiscard]] bool parkUntilOwnWrite(const ObjectKey& key);
  void finish(const ObjectKey& key, const Next& next);
  void comeToRest(const ObjectKey& key);
  void repeat(const ObjectKey& key);

  base::Runtime runtime_;
  ControllerOptions options_;
  Reconciler& reconciler_;
  Queue queue_;
  std::optional<ControllerMetrics> metrics_;
  base::Semaphore slots_;
  CacheBase* main_ = nullptr;
  std::vector<CacheBase*> caches_;
  std::vector<Subscription> subscriptions_;
  std::map<ObjectKey, base::MonoTime> parked_;                              // waiting for their own write since
  std::map<ObjectKey, unsigned> repeats_;                                   // "again at once", in a row
  std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);  // the page lives longer
};

template <Kind T>
void Controller::watchMain(Cache<T>& cache, std::function<bool(const T& before, const T& after)> matters) {
  setMain(cache);
  subscriptions_.push_back(cache.listen([this, matters = std::move(matters)](const typename Cache<T>::Change& change) {
    if (matters && change.before && change.after && !matters(*change.before, *change.after)) return;
    const Priority fresh = change.before ? Priority::change : Priority::added;
    queue_.add(change.key, change.backlog ? Priority::backlog : fresh);
  }));
}

template <Kind T>
void Controller::watch(Cache<T>& cache, std::function<std::vector<ObjectKey>(const T&)> affected,
                       std::function<bool(const T& before, const T& after)> matters) {
  caches_.push_back(&cache);
  subscriptions_.push_back(cache.listen(
      [this, affected = std::move(affected), matters = std::move(matters)](const typename Cache<T>::Change& change) {
        if (matters && change.before && change.after && !matters(*change.before, *change.after)) return;
        std::set<ObjectKey> keys;
        for (const auto& object : {change.before, change.after})
          if (object)
            for (auto& key : affected(*object)) keys.insert(std::move(key));
        for (const auto& key : keys) queue_.add(key, change.backlog ? Priority::backlog : Priority::change);
      }));
}

}  // namespace ingot::kube
