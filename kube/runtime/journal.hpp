// What a pass has to tell once its edits are saved: Events, metrics, and what may be forgotten then. A pass that ends
// in an exception has saved nothing and tells attempts only.
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ingot::kube {

struct NoMetrics {};  // of a controller that counts nothing of its own

// Runs steps that must not keep each other from being done. finish() throws what the first failed step has thrown.
class AllSteps {
 public:
  template <class Step>
  void run(const Step& step) {
    try {
      step();
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
    }
  }
  void finish() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::exception_ptr failure_;
};

template <class Metrics = NoMetrics>
class Journal {
 public:
  struct Entry {
    std::string reason, message;
    bool warning = false;
  };
  using Count = std::function<void(Metrics&)>;

  void event(std::string reason, std::string message) { events_.push_back({std::move(reason), std::move(message)}); }
  void warning(std::string reason, std::string message) {
    events_.push_back({std::move(reason), std::move(message), true});
  }
  void count(Count metric) { metrics_.push_back(std::move(metric)); }
  // Such a metric is counted even when the pass ends in an exception: it counts attempts, not results.
  void countAttempt(Count metric) { attempts_.push_back(std::move(metric)); }
  // The action forgets what the edits of this pass stand for, once they are saved.
  void onceSaved(std::function<void()> action) { onceSaved_.push_back(std::move(action)); }

  [[nodiscard]] const std::vector<Entry>& events() const { return events_; }
  void saved() const {
    AllSteps steps;
    for (const auto& action : onceSaved_) steps.run(action);
    steps.finish();
  }
  void tell(Metrics& metrics) const {
    AllSteps steps;
    for (const auto& metric : metrics_) steps.run([&] { metric(metrics); });
    steps.run([&] { tellAttempts(metrics); });
    steps.finish();
  }
  void tellAttempts(Metrics& metrics) const {
    AllSteps steps;
    for (const auto& metric : attempts_) steps.run([&] { metric(metrics); });
    steps.finish();
  }

 private:
  std::vector<Entry> events_;
  std::vector<Count> metrics_, attempts_;
  std::vector<std::function<void()>> onceSaved_;
};

}  // namespace ingot::kube
