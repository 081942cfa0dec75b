#include "kube/runtime/controller.hpp"

namespace ingot::kube {
namespace {

Reconciled outcomeOf(const Next& next) {
  switch (next.kind()) {
    case Next::Kind::onChange: return Reconciled::success;
    case Next::Kind::after: return Reconciled::requeueAfter;
    case Next::Kind::backoff: return Reconciled::requeue;
  }
  return Reconciled::success;
}

}  // namespace

Controller::Controller(base::Runtime runtime, ControllerOptions options, Reconciler& reconciler)
    : runtime_(runtime.named(options.name)),
      options_(std::move(options)),
      reconciler_(reconciler),
      queue_(runtime_, options_.backoff),
      slots_(runtime_.executor, options_.concurrency) {
  if (options_.metrics) showOnPage();
}

void Controller::showOnPage() {
  metrics_.emplace(*options_.metrics, options_.name, options_.concurrency);
  queue_.count(metrics_->queue());
  options_.metrics->beforeExpose([this, alive = std::weak_ptr(alive_)] {
    if (alive.expired()) return;
    queue_.show();
    metrics_->show(queue_.held());
  });
}

void Controller::setMain(CacheBase& cache) {
  main_ = &cache;
  caches_.push_back(&cache);
  subscriptions_.push_back(cache.listenCaughtUp([this](const ObjectKey& key) {
    if (parked_.erase(key) > 0) queue_.add(key);
  }));
}

base::Task<void> Controller::run() {
  for (CacheBase* cache : caches_) co_await cache->synced();
  base::TaskGroup jobs(runtime_.executor, runtime_.log);
  if (main_ && options_.syncPeriod > base::Duration::zero()) jobs.spawn("sync period", lookAtAllAgain());
  std::exception_ptr ended;
  try {
    co_await dispatch(jobs);
  } catch (...) {
    ended = std::current_exception();
  }
  co_await jobs.close();
  if (ended) std::rethrow_exception(ended);
}

// Not all controllers at once: up to a tenth later.
base::Task<void> Controller::lookAtAllAgain() {
  const auto spread = static_cast<std::uint64_t>(options_.syncPeriod.count() / 10) + 1;
  while (true) {
    const base::Duration more(static_cast<std::int64_t>(runtime_.random.below(spread)));
    co_await runtime_.clock.sleepFor(options_.syncPeriod + more);
    for (const auto& key : main_->keys()) queue_.add(key, Priority::backlog);
  }
}

base::Task<void> Controller::dispatch(base::TaskGroup& jobs) {
  while (true) {
    auto slot = co_await slots_.acquire();
    ObjectKey key = co_await queue_.next();
    while (parkUntilOwnWrite(key)) {
      queue_.done(key);
      key = co_await queue_.next();
    }
    jobs.spawn("reconcile " + key.text(), process(key, std::move(slot)));
  }
}

// Deciding on a cache that is known to be behind our own write would repeat the past. False: nothing is waited for (any
// more).
bool Controller::parkUntilOwnWrite(const ObjectKey& key) {
  if (!main_ || main_->hasSeenOwnWrites(key)) {
    parked_.erase(key);
    return false;
  }
  const base::MonoTime now = runtime_.clock.now();
  const base::MonoTime since = parked_.try_emplace(key, now).first->second;
  if (now - since < options_.longestWaitForOwnWrite) {
    queue_.addAfter(key, since + options_.longestWaitForOwnWrite - now);
    return true;
  }
  runtime_.log.warn("the watch did not bring our own write", {{"key", key.text()}});
  main_->forgetOwnWrites(key);
  parked_.erase(key);
  return false;
}

base::Task<void> Controller::process(ObjectKey key, base::Semaphore::Units) {
  const base::MonoTime begun = runtime_.clock.now();
  std::optional<Next> next;
  std::exception_ptr cancelled;
  bool failed = false;
  try {
    next = co_await reconciler_.reconcile(key);
  } catch (const base::Cancelled&) {
    cancelled = std::current_exception();
  } catch (const NotReady& e) {
    next = Next::after(e.retryAfter());
  } catch (const Moved&) {  // decided on something old: again, on what the watch brings
  } catch (const Error& e) {
    failed = e.code() != Error::Code::conflict;
    if (failed) runtime_.log.warn("reconcile failed", {{"key", key.text()}, {"error", e.what()}});
  } catch (const std::exception& e) {
    failed = true;
    runtime_.log.warn("reconcile failed", {{"key", key.text()}, {"error", e.what()}});
  }
  if (cancelled) std::rethrow_exception(cancelled);
  const Next what = next.value_or(Next::withBackoff());
  if (metrics_) metrics_->reconciled(failed ? Reconciled::error : outcomeOf(what), runtime_.clock.now() - begun);
  finish(key, what);
}

void Controller::finish(const ObjectKey& key, const Next& next) {
  switch (next.kind()) {
    case Next::Kind::onChange: comeToRest(key); break;
    case Next::Kind::after:
      if (next.delay() <= base::Duration::zero()) {
        repeat(key);
        break;
      }
      comeToRest(key);
      queue_.addAfter(key, next.delay());
      break;
    case Next::Kind::backoff: queue_.retry(key); break;
  }
  queue_.done(key);
}

void Controller::comeToRest(const ObjectKey& key) {
  queue_.forget(key);
  repeats_.erase(key);
}

// The back-off after failures goes on growing meanwhile: a step that works between two failures heals nothing.
void Controller::repeat(const ObjectKey& key) {
  const unsigned before = repeats_[key]++;
  if (before < options_.immediateRepeats) return queue_.addAfter(key, {});
  const unsigned excess = before - options_.immediateRepeats;
  if (excess == 0) runtime_.log.warn("a reconcile goes in circles and is slowed down", {{"key", key.text()}});
  queue_.addAfter(key, options_.repeatBackoff.delay(excess, runtime_.random));
}

}  // namespace ingot::kube
