// How a reconcile ends that could not decide, without that being a failure.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"

#include <string>

namespace ingot::kube {

// Something that it needs is not there yet: look again after a while, unless something changes before.
class NotReady final : public base::Error {
 public:
  NotReady(const std::string& what, base::Duration retryAfter) : base::Error(what), retryAfter_(retryAfter) {}
  [[nodiscard]] base::Duration retryAfter() const { return retryAfter_; }

 private:
  base::Duration retryAfter_;
};

// The object is not any more what was decided on. As a conflict: again, with back-off, on what the watch brings.
class Moved : public base::Error {
 public:
  using base::Error::Error;
};

}  // namespace ingot::kube
