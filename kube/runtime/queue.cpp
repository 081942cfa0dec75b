#include "kube/runtime/queue.hpp"

namespace ingot::kube {
namespace {

std::string_view wordFor(Priority priority) {
  switch (priority) {
    case Priority::change: return "change";
    case Priority::added: return "added";
    case Priority::backlog: return "backlog";
  }
  std::unreachable();
}

}  // namespace

Queue::Queue(base::Runtime runtime, base::Backoff backoff)
    : runtime_(std::move(runtime)), backoff_(backoff), changed_(runtime_.executor) {}

Queue::~Queue() = default;

void Queue::add(const ObjectKey& key, Priority priority, base::Duration after) {
  put(key, runtime_.clock.now() + after, priority, false);
}

void Queue::addAfter(const ObjectKey& key, base::Duration delay) {
  if (metrics_ && delay > base::Duration::zero()) metrics_->retried();
  put(key, runtime_.clock.now() + delay, std::nullopt, false);
}

void Queue::retry(const ObjectKey& key) {
  if (metrics_) metrics_->retried();
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
  const base::MonoTime now = runtime_.clock.now();
  if (metrics_) metrics_->waited(now - std::get<base::MonoTime>(*first));
  due_.erase(first);
  entries_.erase(key);
  held_.emplace(key, now);
  co_return key;
}

void Queue::done(const ObjectKey& key) {
  if (const auto taken = held_.extract(key); taken && metrics_) metrics_->worked(runtime_.clock.now() - taken.mapped());
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
  bool wasDue = false;
  const auto [it, isNew] = entries_.try_emplace(key);
  Entry& entry = it->second;
  if (isNew) {
    entry = {when, priority.value_or(Priority::change), nextOrder_++, backoff};
  } else {
    const bool earlier = when < entry.when;
    const bool better = priority && *priority < entry.priority;
    if (!earlier && !better) return;
    if (!held) wasDue = unplace(key, entry);
    if (earlier) entry.backoff = backoff;
    entry.when = std::min(entry.when, when);
    if (better) entry.priority = *priority;
  }
  if (held) return;
  if (wasDue) {
    due_.insert(placeOf(key, entry));
  } else {
    place(key, entry);
  }
  changed_.notifyAll();
}

Queue::Place Queue::placeOf(const ObjectKey& key, const Entry& entry) {
  return {static_cast<int>(entry.priority), entry.when, entry.order, key};
}

void Queue::place(const ObjectKey& key, const Entry& entry) {
  if (entry.when > runtime_.clock.now()) {
    waiting_.emplace(entry.when, key);
  } else {
    becomeDue(key, entry);
  }
}

bool Queue::unplace(const ObjectKey& key, const Entry& entry) {
  waiting_.erase({entry.when, key});
  return due_.erase(placeOf(key, entry)) > 0;
}

void Queue::becomeDue(const ObjectKey& key, const Entry& entry) {
  due_.insert(placeOf(key, entry));
  if (metrics_) metrics_->added();
}

std::set<Queue::Place>::iterator Queue::nextDue() {
  constexpr unsigned turnOfOthers = 8;
  if (++turn_ % turnOfOthers != 0) return due_.begin();
  const auto below = [this](std::set<Place>::iterator place) {
    return due_.lower_bound({std::get<int>(*place) + 1, {}, 0, {}});
  };
  auto longest = due_.end();  // due, of the lower priorities
  for (auto other = below(due_.begin()); other != due_.end(); other = below(other))
    if (longest == due_.end() || std::get<base::MonoTime>(*other) < std::get<base::MonoTime>(*longest)) longest = other;
  return longest == due_.end() ? due_.begin() : longest;
}

void Queue::promoteDue() {
  const base::MonoTime now = runtime_.clock.now();
  while (!waiting_.empty() && waiting_.begin()->first <= now) {
    const ObjectKey key = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    becomeDue(key, entries_.at(key));
  }
}

void Queue::show() {
  if (!metrics_) return;
  promoteDue();
  std::map<Priority, std::size_t> depth{{Priority::change, 0}, {Priority::added, 0}, {Priority::backlog, 0}};
  for (const Place& place : due_) ++depth[static_cast<Priority>(std::get<int>(place))];
  for (const auto& [priority, due] : depth) metrics_->show(wordFor(priority), due);
  base::Duration all{}, longest{};
  for (const auto& [key, since] : held_) {
    const base::Duration so = runtime_.clock.now() - since;
    all += so;
    longest = std::max(longest, so);
  }
  metrics_->showHeld(all, longest);
}

}  // namespace ingot::kube
