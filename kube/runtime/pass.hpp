// One look at one object, from the snapshot to the telling:
//   snapshot → draft → decide → save → tell
// A reconciler of a kind says only what it decides (run()); the rest is here, for all controllers. Guarantees:
//  - what is told (Events, metrics, onceSaved) is told after the save that stands for it, once, and all of it, also
//    when one call-back of the journal throws; a pass that throws before its save has told attempts only;
//  - after a save the key is not reconciled before the cache has seen it;
//  - an object that went away while it was in deletion is no failure of its save.
#pragma once

#include "kube/runtime/controller.hpp"
#include "kube/runtime/draft.hpp"
#include "kube/runtime/event_recorder.hpp"
#include "kube/runtime/journal.hpp"

namespace ingot::kube {

// What passes over a kind work with; all of it outlives them.
template <Kind T, class Metrics = NoMetrics>
struct PassWorld {
  Client& client;
  Cache<T>& cache;
  EventRecorder& events;
  Metrics* metrics = nullptr;
  // What else an Event of this object is about, if anything.
  std::function<std::optional<ObjectReference>(const T&)> related = {};
};

template <Kind T, class Metrics = NoMetrics>
class Pass {
 public:
  Pass(PassWorld<T, Metrics>& world, const std::shared_ptr<const T>& seen) : world_(world), draft_(seen) {}

  [[nodiscard]] Draft<T>& draft() { return draft_; }
  [[nodiscard]] Journal<Metrics>& journal() { return journal_; }
  [[nodiscard]] T* operator->() { return &*draft_; }
  [[nodiscard]] T& operator*() { return *draft_; }
  [[nodiscard]] ObjectKey key() const { return draft_.key(); }

  // Writes the edits, if there are any, and tells what the journal holds. The pass may go on and save again.
  [[nodiscard]] base::Task<Saved> save() {
    const bool leaving = draft_.before().metadata.beingDeleted();
    Saved saved = Saved::gone;
    try {
      saved = co_await kube::save(world_.client, draft_, &world_.cache);
    } catch (const Error& error) {
      if (!leaving || error.code() != Error::Code::notFound) throw;
    }
    tell();
    co_return saved;
  }

  void tellAttempts() const {
    if (world_.metrics) journal_.tellAttempts(*world_.metrics);
  }

 private:
  // The save stands, whatever fails here: the pass ends with that, but only once everything is told.
  void tell() {
    const auto told = std::exchange(journal_, {});
    AllSteps steps;
    steps.run([&] { told.saved(); });
    if (world_.metrics) steps.run([&] { told.tell(*world_.metrics); });
    steps.run([&] { tellEvents(told); });
    steps.finish();
  }

  void tellEvents(const Journal<Metrics>& told) {
    const ObjectReference object = referenceTo(*draft_);
    const auto related = world_.related ? world_.related(*draft_) : std::nullopt;
    for (const auto& event : told.events()) {
      if (event.warning)
        world_.events.warning(object, event.reason, event.message, related);
      else
        world_.events.normal(object, event.reason, event.message, related);
    }
  }

  PassWorld<T, Metrics>& world_;
  Draft<T> draft_;
  Journal<Metrics> journal_;
};

template <Kind T, class Metrics = NoMetrics>
class ObjectReconciler : public Reconciler {
 public:
  explicit ObjectReconciler(PassWorld<T, Metrics> world) : world_(std::move(world)) {}

  [[nodiscard]] base::Task<Next> reconcile(ObjectKey key) final {
    const auto seen = world_.cache.find(key);
    if (!seen) {
      gone(key);
      co_return Next::onChange();
    }
    Pass<T, Metrics> pass(world_, seen);
    try {
      co_return co_await run(pass);
    } catch (...) {
      pass.tellAttempts();
      throw;
    }
  }

 protected:
  // Decides and saves. An exception ends the pass with nothing told; the runtime picks the retry.
  [[nodiscard]] virtual base::Task<Next> run(Pass<T, Metrics>& pass) = 0;
  // The object is not there any more.
  virtual void gone(const ObjectKey&) {}

  [[nodiscard]] PassWorld<T, Metrics>& world() { return world_; }

 private:
  PassWorld<T, Metrics> world_;
};

}  // namespace ingot::kube
