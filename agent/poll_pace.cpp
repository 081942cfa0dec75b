#include "agent/poll_pace.hpp"

namespace ingot::agent {

namespace {

constexpr unsigned errorsToSlow = 3;
constexpr base::Backoff slowing{
    .first = std::chrono::seconds(5), .cap = std::chrono::seconds(30), .factor = 2, .jitter = 0.25};

}  // namespace

base::Duration PollPace::pauseAfter(base::Duration interval) const {
  const double spread = 0.9 + 0.2 * runtime_.random.unit();
  const auto pause =
      std::chrono::duration_cast<base::Duration>(spread * std::chrono::duration<double, std::nano>(interval));
  if (errors_ < errorsToSlow) return pause;
  return std::max(pause, slowing.delay(errors_ - errorsToSlow, runtime_.random));
}

}  // namespace ingot::agent
