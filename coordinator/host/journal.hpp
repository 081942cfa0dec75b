// What a pass has to tell once its edits are saved: Events and metrics. A pass that ends in an exception tells attempts
// only.
#pragma once

#include "coordinator/host/metrics.hpp"

#include <functional>
#include <string>
#include <vector>

namespace ingot::coordinator::host {

struct HostEvent {
  std::string reason, message;
  bool warning = false;
};

class Journal {
 public:
  void event(std::string reason, std::string message) { events_.push_back({std::move(reason), std::move(message)}); }
  void warning(std::string reason, std::string message) {
    events_.push_back({std::move(reason), std::move(message), true});
  }
  void count(std::function<void(Metrics&)> metric) { metrics_.push_back(std::move(metric)); }
  // Also when the pass ends in an exception: of attempts, not of results.
  void countAttempt(std::function<void(Metrics&)> metric) { attempts_.push_back(std::move(metric)); }

  // What the edits of this pass stand for may be forgotten once they are saved.
  void onceSaved(std::function<void()> action) { onceSaved_.push_back(std::move(action)); }
  void saved() const {
    for (const auto& action : onceSaved_) action();
  }

  [[nodiscard]] const std::vector<HostEvent>& events() const { return events_; }
  void tell(Metrics& metrics) const {
    for (const auto& metric : metrics_) metric(metrics);
    tellAttempts(metrics);
  }
  void tellAttempts(Metrics& metrics) const {
    for (const auto& metric : attempts_) metric(metrics);
  }

 private:
  std::vector<HostEvent> events_;
  std::vector<std::function<void(Metrics&)>> metrics_, attempts_;
  std::vector<std::function<void()>> onceSaved_;
};

}  // namespace ingot::coordinator::host
