// Exceptions that end a reconcile which could not decide, without being a failure.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"

#include <string>

namespace ingot::kube {

// Something that the reconcile needs is not there yet. It runs again after a while, or earlier when something changes.
class NotReady final : public base::Error {
 public:
  NotReady(const std::string& what, base::Duration retryAfter) : base::Error(what), retryAfter_(retryAfter) {}
  [[nodiscard]] base::Duration retryAfter() const { return retryAfter_; }

 private:
  base::Duration retryAfter_;
};

// The object has changed since the decision. As after a conflict, the reconcile runs again with back-off, on what the
// watch brings.
class Moved : public base::Error {
 public:
  using base::Error::Error;
};

}  // namespace ingot::kube
