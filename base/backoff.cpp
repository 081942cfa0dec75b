#include "base/backoff.hpp"

#include <algorithm>
#include <cmath>

namespace ingot::base {

Duration Backoff::delay(unsigned attempt, Random& random) const {
  const double whole =
      std::min(static_cast<double>(cap.count()), static_cast<double>(first.count()) * std::pow(factor, attempt));
  return Duration(static_cast<Duration::rep>(whole * (1 - jitter * random.unit())));
}

}  // namespace ingot::base
