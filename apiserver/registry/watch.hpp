// One open watch. It holds a position in the history, not a queue of its own: a watcher that falls behind by more than
// the history keeps gets the 410 ERROR event and the stream ends; it never slows a writer down.
#pragma once

#include "apiserver/registry/status.hpp"
#include "apiserver/store/object.hpp"
#include "base/task.hpp"

#include <string_view>
#include <vector>

namespace ingot::apiserver {

struct WatchEvent {
  enum class Type { added, modified, deleted, bookmark, error };
  Type type;
  ObjectPtr object;               // null for bookmark and error
  Revision revision = 0;          // of the change; of a bookmark: everything up to it was sent
  bool initialEventsEnd = false;  // a bookmark that ends the initial events
  Status error = {};
  bool initial = false;  // not a change: it was there when the watch began
};

[[nodiscard]] std::string_view typeName(WatchEvent::Type type);  // "ADDED" …

class Watch {
 public:
  virtual ~Watch() = default;
  // The next events in order of revision, at least one; empty: the stream has ended. Throws base::Cancelled.
  [[nodiscard]] virtual base::Task<std::vector<WatchEvent>> next() = 0;
};

}  // namespace ingot::apiserver
