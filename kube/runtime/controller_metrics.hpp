// What every controller counts, under the names that dashboards for controllers know (controller-runtime's).
#pragma once

#include "base/clock.hpp"
#include "base/metrics.hpp"
#include "kube/runtime/queue_metrics.hpp"

#include <cstdint>
#include <string>

namespace ingot::kube {

enum class Reconciled : std::uint8_t { success, error, requeue, requeueAfter };

class ControllerMetrics {
 public:
  // Registers the series of this controller at once. `page` outlives it.
  ControllerMetrics(base::Metrics& page, const std::string& controller, std::size_t workers);
  void reconciled(Reconciled result, base::Duration took);
  void show(std::size_t busyWorkers) { active_->set(static_cast<double>(busyWorkers)); }
  [[nodiscard]] QueueMetrics& queue() { return queue_; }

 private:
  base::Counter *success_, *error_, *requeue_, *requeueAfter_, *errors_;
  base::Histogram* time_;
  base::Gauge* active_;
  QueueMetrics queue_;
};

}  // namespace ingot::kube
