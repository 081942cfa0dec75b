#include "kube/runtime/controller_metrics.hpp"

namespace ingot::kube {

ControllerMetrics::ControllerMetrics(base::Metrics& page, const std::string& controller) {
  const auto total = [&](std::string result) {
    return &page.counter("controller_runtime_reconcile_total", "Reconciles by controller and result",
                         {{"controller", controller}, {"result", std::move(result)}});
  };
  success_ = total("success");
  error_ = total("error");
  requeue_ = total("requeue");
  requeueAfter_ = total("requeue_after");
  errors_ = &page.counter("controller_runtime_reconcile_errors_total", "Reconciles that failed, by controller",
                          {{"controller", controller}});
  time_ = &page.histogram("controller_runtime_reconcile_time_seconds", "Seconds of a reconcile, by controller",
                          base::secondsBuckets(), {{"controller", controller}});
}

void ControllerMetrics::reconciled(Reconciled result, base::Duration took) {
  time_->observe(std::chrono::duration<double>(took).count());
  switch (result) {
    case Reconciled::success: return success_->add();
    case Reconciled::requeue: return requeue_->add();
    case Reconciled::requeueAfter: return requeueAfter_->add();
    case Reconciled::error: errors_->add(); return error_->add();
  }
}

}  // namespace ingot::kube
