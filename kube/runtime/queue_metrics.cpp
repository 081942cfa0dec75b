#include "kube/runtime/queue_metrics.hpp"

namespace ingot::kube {
namespace {

double inSeconds(base::Duration d) { return std::chrono::duration<double>(d).count(); }

// 10 ns … 1000 s, each ten times the last.
std::vector<double> decades() { return {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000}; }

}  // namespace

QueueMetrics::QueueMetrics(base::Metrics& page, const std::string& name)
    : page_(page),
      labels_{{"name", name}, {"controller", name}},
      adds_(&page.counter("workqueue_adds_total", "Total number of adds handled by workqueue", labels_)),
      retries_(&page.counter("workqueue_retries_total", "Total number of retries handled by workqueue", labels_)),
      waiting_(&page.histogram("workqueue_queue_duration_seconds",
                               "How long in seconds an item stays in workqueue before being requested", decades(),
                               labels_)),
      working_(&page.histogram("workqueue_work_duration_seconds",
                               "How long in seconds processing an item from workqueue takes", decades(), labels_)),
      unfinished_(&page.gauge("workqueue_unfinished_work_seconds",
                              "Seconds of work in progress that work_duration has not seen yet", labels_)),
      longest_(&page.gauge("workqueue_longest_running_processor_seconds",
                           "How many seconds the longest running processor has been running", labels_)) {}

void QueueMetrics::waited(base::Duration sinceDue) { waiting_->observe(inSeconds(sinceDue)); }
void QueueMetrics::worked(base::Duration sinceTaken) { working_->observe(inSeconds(sinceTaken)); }

void QueueMetrics::show(std::string_view priority, std::size_t due) {
  base::Labels labels = labels_;
  labels.emplace_back("priority", priority);
  page_.gauge("workqueue_depth", "Current depth of workqueue by workqueue and priority", labels)
      .set(static_cast<double>(due));
}

void QueueMetrics::showHeld(base::Duration all, base::Duration longest) {
  unfinished_->set(inSeconds(all));
  longest_->set(inSeconds(longest));
}

}  // namespace ingot::kube
