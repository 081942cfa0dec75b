// Things that are tried again until they succeed, without a line of log each time.
#pragma once

#include "base/log.hpp"
#include "base/task.hpp"

#include <string>

namespace ingot::sim::kubelet {

class Attempts {
 public:
  explicit Attempts(base::Log log) : log_(std::move(log)) {}

  // False when it threw a base::Error; the reason is logged where it is another than last time. Cancelled goes through.
  [[nodiscard]] base::Task<bool> succeeds(base::Task<void> step);

 private:
  base::Log log_;
  std::string lastFailure_;
};

}  // namespace ingot::sim::kubelet
