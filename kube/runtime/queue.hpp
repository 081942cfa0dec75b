// Which key is to be looked at next, and when. Every key is in here at most once, however often it is added.
#pragma once

#include "base/backoff.hpp"
#include "base/runtime.hpp"
#include "base/sync.hpp"
#include "kube/core/object_key.hpp"
#include "kube/runtime/queue_metrics.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace ingot::kube {

// What was begun goes on before something new is begun, and what just happened goes before what was there at start-up.
enum class Priority { change, added, backlog };

class Queue {
 public:
  explicit Queue(base::Runtime runtime,
                 base::Backoff backoff = {std::chrono::milliseconds(100), std::chrono::minutes(10)});
  ~Queue();

  // There is news for the key: due now, which ends any waiting, or after a while, unless it is due earlier anyway.
  void add(const ObjectKey& key, Priority priority = Priority::change, base::Duration after = {});
  // Nothing new, but the key is to be looked at again after `delay`, unless it is due earlier anyway. Counts as a
  // retry.
  void addAfter(const ObjectKey& key, base::Duration delay);
  // Due after the next delay of this key's own back-off.
  void retry(const ObjectKey& key);
  // The key did well: its back-off starts from the beginning.
  void forget(const ObjectKey& key);
  // All keys that wait in back-off are due now; their back-off starts from the beginning.
  void endBackoffs();

  // The next due key, by priority, then in order of due time; one in eight is the one of a lower priority that has been
  // due for longest, so that a queue that never empties starves nobody. It is held: nobody gets it again until done().
  // Throws Cancelled.
  [[nodiscard]] base::Task<ObjectKey> next();
  // Adds while it was held count from now on.
  void done(const ObjectKey& key);

  [[nodiscard]] std::size_t size() const;  // waiting and due, without held ones
  [[nodiscard]] std::size_t held() const { return held_.size(); }
  [[nodiscard]] bool idle() const;  // nothing due, nothing held
  [[nodiscard]] unsigned failures(const ObjectKey& key) const;

  // From now on it is counted there, which outlives this. What only a look can tell is shown by show().
  void count(QueueMetrics& metrics) { metrics_ = &metrics; }
  void show();

 private:
  struct Entry {
    base::MonoTime when;
    Priority priority = Priority::change;
    std::uint64_t order = 0;  // first come first served among equals
    bool backoff = false;
  };
  using Place = std::tuple<int, base::MonoTime, std::uint64_t, ObjectKey>;

  void put(const ObjectKey& key, base::MonoTime when, std::optional<Priority> priority, bool backoff);
  [[nodiscard]] static Place placeOf(const ObjectKey& key, const Entry& entry);
  void place(const ObjectKey& key, const Entry& entry);
  bool unplace(const ObjectKey& key, const Entry& entry);  // true: it was due
  void becomeDue(const ObjectKey& key, const Entry& entry);
  void promoteDue();
  [[nodiscard]] std::set<Place>::iterator nextDue();

  base::Runtime runtime_;
  base::Backoff backoff_;
  std::map<ObjectKey, Entry> entries_;                      // every key that waits, is due, or was added while held
  std::set<std::pair<base::MonoTime, ObjectKey>> waiting_;  // not yet due
  std::set<Place> due_;
  std::map<ObjectKey, base::MonoTime> held_;  // since
  std::map<ObjectKey, unsigned> failures_;
  std::uint64_t nextOrder_ = 0;
  unsigned turn_ = 0;
  base::Notifier changed_;
  QueueMetrics* metrics_ = nullptr;
};

}  // namespace ingot::kube
