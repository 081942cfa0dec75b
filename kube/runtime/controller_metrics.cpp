#include "kube/runtime/controller_metrics.hpp"

namespace ingot::kube {

ControllerMetrics::ControllerMetrics(base::Metrics& page, const std::string& controller, std::size_t workers)
    : active_(&page.gauge("controller_runtime_active_workers", "Workers that reconcile now, by controller",
                          {{"controller", controller}})),
      queue_(page, controller) {
  page.gauge("controller_runtime_max_concurrent_reconciles", "Workers that may reconcile at a time, by controller",
             {{"controller", controller}})
      .set(static_cast<double>(workers));
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
  // No error here ends all tries, and nothing panics; alerts that name them find them.
  page.counter("controller_runtime_terminal_reconcile_errors_total",
               "Reconciles that are not tried again, by controller", {{"controller", controller}});
  page.counter("controller_runtime_reconcile_panics_total", "Reconciles that panicked, by controller",
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
