// What a write changed.
#pragma once

#include "apiserver/store/object.hpp"

namespace ingot::apiserver {

// One durable change.
struct Event {
  Revision revision = 0;
  ObjectPtr previous;  // null: created
  ObjectPtr next;      // null: removed
  ObjectPtr last;      // removed: the last state with the revision of the removal

  [[nodiscard]] const ObjectKey& key() const { return (next ? next : previous)->key; }
};

}  // namespace ingot::apiserver
