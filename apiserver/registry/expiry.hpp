// Removes objects of kinds with a time to live (Events: one hour after their last write).
#pragma once

#include "apiserver/registry/kinds.hpp"
#include "apiserver/registry/ownership.hpp"
#include "apiserver/registry/remover.hpp"
#include "base/runtime.hpp"
#include "base/task.hpp"

#include <deque>
#include <map>

namespace ingot::apiserver {

class Expiry {
 public:
  Expiry(base::Runtime runtime, Store& store, const Kinds& kinds, Remover& remover, base::TaskGroup& group,
         base::Duration interval)
      : runtime_(std::move(runtime)),
        store_(store),
        kinds_(kinds),
        remover_(remover),
        group_(group),
        interval_(interval) {}

  // What was stored before this start counts from its lastTimestamp or creation.
  void begin();
  void observe(const std::string& resource, const Event& event);
  [[nodiscard]] base::Task<void> run();  // until cancelled

 private:
  struct Entry {
    base::WallTime written;
    ObjectKey key;
    Revision revision;  // a later write has an entry of its own
  };
  [[nodiscard]] base::Task<void> sweep();
  // What could not be removed is put back: the next sweep tries again.
  [[nodiscard]] base::Task<void> removeOne(KindPtr kind, Entry entry, std::string uid);

  base::Runtime runtime_;
  Store& store_;
  const Kinds& kinds_;
  Remover& remover_;
  base::TaskGroup& group_;
  base::Duration interval_;
  std::map<std::string, std::deque<Entry>> waiting_;  // by resource, oldest first
  std::string problem_;                               // of the sweep under way
  std::size_t putBack_ = 0;                           // by it
};

}  // namespace ingot::apiserver
