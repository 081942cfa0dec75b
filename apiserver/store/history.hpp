// The recent past of every kind, bounded: what watches resume from and old list pages are rebuilt with.
#pragma once

#include "apiserver/store/object.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace ingot::apiserver {

// One durable change.
struct Event {
  Revision revision = 0;
  ObjectPtr previous;  // null: created
  ObjectPtr next;      // null: removed
  ObjectPtr last;      // removed: the last state with the revision of the removal
};

// Past the limits the oldest events of the kind that takes most room go first, so that a busy kind does not take the
// past of a quiet one.
class History {
 public:
  History(std::size_t bytes, std::size_t events) : byteLimit_(bytes), eventLimit_(events) {}

  // Nothing before `start` is known.
  void begin(Revision start) { start_ = start; }
  void add(const std::string& resource, Event event);

  // Everything after `revision` is still here.
  [[nodiscard]] bool reaches(const std::string& resource, Revision revision) const;
  // Oldest first, at most `limit`; reaches(resource, revision) must hold.
  [[nodiscard]] std::vector<Event> after(const std::string& resource, Revision revision, std::size_t limit) const;
  [[nodiscard]] std::size_t size() const { return events_; }

 private:
  struct Ring {
    std::deque<Event> events;
    Revision floor = 0;  // the highest revision that was dropped
    std::size_t bytes = 0;
  };
  void trim();
  std::size_t byteLimit_, eventLimit_;
  std::size_t bytes_ = 0, events_ = 0;
  Revision start_ = 0;
  std::map<std::string, Ring> rings_;
};

}  // namespace ingot::apiserver
