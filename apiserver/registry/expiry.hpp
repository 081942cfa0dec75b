// Removes objects of kinds with a time to live (Events: one hour after their last write), the oldest of them earlier
// when together they take too much room.
#pragma once

#include "apiserver/registry/kinds.hpp"
#include "apiserver/registry/ownership.hpp"
#include "apiserver/registry/remover.hpp"
#include "base/runtime.hpp"
#include "base/sync.hpp"
#include "base/task.hpp"

#include <deque>
#include <map>

namespace ingot::apiserver {

class Expiry {
 public:
  struct Limits {
    base::Duration sweepInterval;
    std::size_t mostBytes;  // of one kind's objects
  };
  Expiry(base::Runtime runtime, Store& store, const Kinds& kinds, Remover& remover, base::TaskGroup& group,
         Limits limits)
      : runtime_(std::move(runtime)),
        store_(store),
        kinds_(kinds),
        remover_(remover),
        group_(group),
        limits_(limits),
        crowded_(runtime_.executor) {}

  // The age of an object that was stored before this start counts from its lastTimestamp or its creation.
  void begin();
  void observe(const std::string& resource, const Event& event);
  [[nodiscard]] base::Task<void> run();  // until cancelled

 private:
  struct Entry {
    base::WallTime written;
    ObjectKey key;
    Revision revision;  // a later write has an entry of its own
  };
  struct Waiting {
    std::deque<Entry> entries;  // oldest first; those of objects that were written again or removed are skipped
    std::size_t bytes = 0;      // of the objects there are
  };
  [[nodiscard]] base::Task<void> sweep();
  // The objects that must be removed now.
  [[nodiscard]] std::vector<Entry> takeExpired(Waiting& waiting, const Kind& kind) const;
  // An object that is written again and again leaves an entry each time.
  void forgetOverwritten(const std::string& resource, Waiting& waiting) const;
  [[nodiscard]] bool isCurrent(const std::string& resource, const Entry& entry) const;
  // An object that could not be removed is put back, and the next sweep tries it again.
  [[nodiscard]] base::Task<void> removeOne(KindPtr kind, Entry entry, std::string uid);

  base::Runtime runtime_;
  Store& store_;
  const Kinds& kinds_;
  Remover& remover_;
  base::TaskGroup& group_;
  Limits limits_;
  std::map<std::string, Waiting> waiting_;  // by resource
  base::Notifier crowded_;                  // with the write that goes past the limit, not at the next sweep
  bool wroteTooMuch_ = false;               // since the last sweep began to wait
  std::string problem_;                     // of the sweep under way
  std::size_t putBack_ = 0;                 // by it
};

}  // namespace ingot::apiserver
