// The event log of a BMC (SEL): what happened to its server, until it is cleared.
#pragma once

#include "base/clock.hpp"

#include <deque>
#include <string>

namespace ingot::sim {

struct LoggedEvent {
  unsigned id = 0;
  base::WallTime created;
  std::string severity;  // OK, Warning, Critical
  std::string message;
};

class EventLog {
 public:
  static constexpr std::size_t capacity = 512;  // the oldest makes room

  void add(base::WallTime now, std::string severity, std::string message) {
    if (events_.size() == capacity) events_.pop_front();
    events_.push_back({++last_, now, std::move(severity), std::move(message)});
  }
  void clear() { events_.clear(), last_ = 0; }
  [[nodiscard]] const std::deque<LoggedEvent>& events() const { return events_; }  // oldest first

 private:
  std::deque<LoggedEvent> events_;
  unsigned last_ = 0;
};

}  // namespace ingot::sim
