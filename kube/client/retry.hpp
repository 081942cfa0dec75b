// The one place that says what happens to a request that failed.
//
//   429, and 5xx with Retry-After   the server did not do it: wait as told (at most 30 s), try again, reads and writes
//   never arrived, or not judged    (a webhook was not reached) try again with back-off, reads and writes
//   5xx, reset, timeout             reads are tried again with back-off; a write may have happened: the caller decides
//   401                             once more, after the token was read again
//   the rest, 409 among it          an answer: goes to the caller
#pragma once

#include "base/backoff.hpp"
#include "kube/core/error.hpp"

#include <optional>

namespace ingot::kube {

struct RetryPolicy {
  unsigned attempts = 4;  // all in all
  base::Backoff backoff{std::chrono::milliseconds(200), std::chrono::seconds(5)};
  base::Duration longestRetryAfter = std::chrono::seconds(30);
};

// How long to wait before the next try; nullopt: give up. `attempt` counts from 0.
[[nodiscard]] std::optional<base::Duration> retryDelay(const RetryPolicy& policy, const Error& error, bool isRead,
                                                       unsigned attempt, base::Random& random);

}  // namespace ingot::kube
