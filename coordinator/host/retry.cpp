#include "coordinator/host/retry.hpp"

#include <algorithm>

namespace ingot::coordinator::host {

base::Duration failureDelay(int errorCount, base::Random& random) {
  const int exponent = std::clamp(errorCount, 0, 9);
  const base::Duration longest = std::min<base::Duration>(std::chrono::minutes(1 << exponent), longestFailureDelay);
  const double jitter = random.unit() * 0.5;
  return longest - base::Duration(static_cast<std::int64_t>(static_cast<double>(longest.count()) * jitter));
}

base::Duration jittered(base::Duration about, base::Random& random) {
  return base::Duration(static_cast<std::int64_t>(static_cast<double>(about.count()) * (0.8 + 0.4 * random.unit())));
}

}  // namespace ingot::coordinator::host
