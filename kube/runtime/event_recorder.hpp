// Publishes core/v1 Events (spec/baremetalhost.md §12). Never makes the caller wait and never fails: Events are for
// people. A repetition (same object, reason, message, type) raises the count of the Event there is instead of making
// another one; repetitions that come while one is being written travel together.
#pragma once

#include "base/runtime.hpp"
#include "base/sync.hpp"
#include "kube/client/client.hpp"
#include "kube/core/event.hpp"
#include "kube/runtime/event_memory.hpp"

#include <deque>
#include <optional>
#include <set>
#include <string>

namespace ingot::kube {

struct EventOptions {
  std::string component;           // source.component, e.g. metal3-baremetal-controller
  std::string reportingComponent;  // e.g. metal3.io/baremetal-controller
  std::string reportingInstance;
  std::size_t queueLimit = 4096;  // more: the newest is dropped
  EventMemoryOptions memory;
};

class EventRecorder {
 public:
  EventRecorder(base::Runtime runtime, Client& client, EventOptions options);
  ~EventRecorder();

  void normal(ObjectReference object, std::string reason, std::string message,
              std::optional<ObjectReference> related = std::nullopt);
  void warning(ObjectReference object, std::string reason, std::string message,
               std::optional<ObjectReference> related = std::nullopt);

  // Writes what is queued, until cancelled.
  [[nodiscard]] base::Task<void> run();
  // Waits until everything recorded so far is written or given up.
  [[nodiscard]] base::Task<void> flushed();

  [[nodiscard]] std::size_t dropped() const { return dropped_; }  // queue full, rate limit, refused
  [[nodiscard]] std::size_t pending() const { return active_.size(); }

 private:
  void record(EventKey key, std::optional<ObjectReference> related);
  [[nodiscard]] base::Task<void> writeQueued();
  [[nodiscard]] base::Task<void> publish(const EventKey& key);
  [[nodiscard]] base::Task<void> write(const EventKey& key, EventMemory::Entry seen);
  [[nodiscard]] base::Task<void> create(const EventKey& key, const EventMemory::Entry& seen);
  [[nodiscard]] base::Task<bool> raiseCount(const EventKey& key, const EventMemory::Entry& seen);

  base::Runtime runtime_;
  Client& client_;
  EventOptions options_;
  EventMemory memory_;
  std::deque<EventKey> queue_;
  std::set<EventKey> active_;  // queued or being written: no key is written twice at a time
  std::size_t dropped_ = 0;
  base::Notifier changed_, settled_;
};

}  // namespace ingot::kube
