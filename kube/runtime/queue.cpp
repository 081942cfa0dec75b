#include "kube/runtime/queue.hpp"

namespace ingot::kube {

Queue::Queue(base::Runtime runtime, base::Backoff backoff)
    : runtime_(std::move(runtime)), backoff_(backoff), changed_(runtime_.executor) {}

Queue::~Queue() = default;

void Queue::add(const ObjectKey& key, Priority priority) { put(key, runtime_.clock.now(), priority, false); }

void Queue::addAfter(const ObjectKey& key, base::Duration delay) {
  put(key, runtime_.clock.now() + delay, std::nullopt, false);
}

void Queue::retry(const ObjectKey& key) {
  put(key, runtime_.clock.now() + backoff_.delay(failures_[key]++, runtime_.random), std::nullopt, true);
}

void Queue::forget(const ObjectKey& key) { failures_.erase(key); }

void Queue::endBackoffs() {
  failures_.clear();
  std::vector<ObjectKey> waiting;
  for (const auto& [key, entry] : entries_)
    if (entry.backoff) waiting.push_back(key);
  for (const auto& key : waiting) add(key);
}

base::Task<ObjectKey> Queue::next() {
  while (true) {
    promoteDue();
    if (!due_.empty()) break;
    if (waiting_.empty()) {
      co_await changed_.wait();
    } else {
      static_cast<void>(co_await changed_.waitUntil(runtime_.clock, waiting_.begin()->first));
    }
  }
  const auto first = nextDue();
  ObjectKey key = std::get<ObjectKey>(*first);
  due_.erase(first);
  entries_.erase(key);
  held_.insert(key);
  co_return key;
}

void Queue::done(const ObjectKey& key) {
  held_.erase(key);
  const auto it = entries_.find(key);
  if (it == entries_.end()) return;
  place(key, it->second);
  changed_.notifyAll();
}

std::size_t Queue::size() const { return entries_.size(); }
bool Queue::idle() const {
  return held_.empty() && due_.empty() && (waiting_.empty() || waiting_.begin()->first > runtime_.clock.now());
}

unsigned Queue::failures(const ObjectKey& key) const {
  const auto it = failures_.find(key);
  return it == failures_.end() ? 0 : it->second;
}

// `priority` nullopt: a key that is there already keeps its own.
void Queue::put(const ObjectKey& key, base::MonoTime when, std::optional<Priority> priority, bool backoff) {
  const bool held = held_.contains(key);
  const auto [it, isNew] = entries_.try_emplace(key);
  Entry& entry = it->second;
  if (isNew) {
    entry = {when, priority.value_or(Priority::change), nextOrder_++, backoff};
  } else {
    const bool earlier = when < entry.when;
    const bool better = priority && *priority < entry.priority;
    if (!earlier && !better) return;
    if (!held) unplace(key, entry);
    if (earlier) entry.backoff = backoff;
    entry.when = std::min(entry.when, when);
    if (better) entry.priority = *priority;
  }
  if (held) return;
  place(key, entry);
  changed_.notifyAll();
}

Queue::Place Queue::placeOf(const ObjectKey& key, const Entry& entry) {
  return {static_cast<int>(entry.priority), entry.when, entry.order, key};
}

void Queue::place(const ObjectKey& key, const Entry& entry) {
  if (entry.when > runtime_.clock.now()) {
    waiting_.emplace(entry.when, key);
  } else {
    due_.insert(placeOf(key, entry));
  }
}

void Queue::unplace(const ObjectKey& key, const Entry& entry) {
  waiting_.erase({entry.when, key});
  due_.erase(placeOf(key, entry));
}

std::set<Queue::Place>::iterator Queue::nextDue() {
  constexpr unsigned turnOfOthers = 8;
  if (++turn_ % turnOfOthers != 0) return due_.begin();
  const int first = std::get<int>(*due_.begin());
  const auto other = due_.lower_bound({first + 1, {}, 0, {}});
  return other == due_.end() ? due_.begin() : other;
}

void Queue::promoteDue() {
  const base::MonoTime now = runtime_.clock.now();
  while (!waiting_.empty() && waiting_.begin()->first <= now) {
    const ObjectKey key = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    due_.insert(placeOf(key, entries_.at(key)));
  }
}

}  // namespace ingot::kube
