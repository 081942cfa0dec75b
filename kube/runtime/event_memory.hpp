// Which Events were published lately, and how fast one object may publish. Bounded; pure but for the clock's value.
#pragma once

#include "base/clock.hpp"
#include "kube/core/object_reference.hpp"

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>

namespace ingot::kube {

struct EventKey {
  ObjectReference object;  // without resourceVersion
  std::string type, reason, message;
  friend bool operator==(const EventKey&, const EventKey&) = default;
  friend bool operator<(const EventKey& a, const EventKey& b);
};

struct EventMemoryOptions {
  std::size_t entries = 4096;                              // least recently used goes first
  base::Duration sameEventFor = std::chrono::minutes(10);  // a repetition after this is a new Event
  double burst = 25;                                       // Events of one object at once …
  base::Duration refill = std::chrono::minutes(5);         // … and then one in so long
};

class EventMemory {
 public:
  struct Entry {
    std::string name;          // of the Event object; "" while it was never written
    std::int64_t count = 0;    // seen so far
    std::int64_t written = 0;  // as the server has it
    base::WallTime first{}, last{};
    std::optional<ObjectReference> related;
  };

  explicit EventMemory(EventMemoryOptions options) : options_(options) {}

  // Counts one more. False when this object publishes too fast.
  [[nodiscard]] bool note(const EventKey& key, base::MonoTime now, base::WallTime wall,
                          const std::optional<ObjectReference>& related);
  // nullptr when it was forgotten.
  [[nodiscard]] const Entry* find(const EventKey& key) const;
  void written(const EventKey& key, const std::string& name, std::int64_t count);
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Slot {
    Entry entry;
    base::MonoTime lastSeen;
    std::list<const EventKey*>::iterator age;
  };
  struct Bucket {
    double tokens;
    base::MonoTime filledAt;
    std::list<const std::string*>::iterator age;
  };
  [[nodiscard]] bool takeToken(const ObjectReference& object, base::MonoTime now);
  void forgetBefore(base::MonoTime time);
  void forgetOldest();

  EventMemoryOptions options_;
  std::map<EventKey, Slot> entries_;
  std::list<const EventKey*> byAge_;  // oldest first; the keys of entries_
  std::map<std::string, Bucket> buckets_;
  std::list<const std::string*> byUse_;  // least recently used first; the keys of buckets_
};

}  // namespace ingot::kube
