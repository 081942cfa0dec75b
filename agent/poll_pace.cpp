#include "agent/poll_pace.hpp"

namespace ingot::agent {

namespace {

constexpr unsigned errorsToSlow = 3;
constexpr base::Backoff slowing{
    .first = std::chrono::seconds(5), .cap = std::chrono::seconds(30), .factor = 2, .jitter = 0.25};

constexpr base::Duration beat = std::chrono::milliseconds(500);
constexpr base::Duration leastOnBeat = 10 * beat;

}  // namespace

base::Duration PollPace::pauseAfter(base::Duration interval) const {
  const double spread = 0.9 + 0.2 * random_.unit();
  const auto pause =
      std::chrono::duration_cast<base::Duration>(spread * std::chrono::duration<double, std::nano>(interval));
  if (errors_ < errorsToSlow) return pause;
  return std::max(pause, slowing.delay(errors_ - errorsToSlow, random_));
}

base::MonoTime PollPace::next(base::Duration interval) const {
  const auto exactly = clock_.now() + pauseAfter(interval);
  if (interval < leastOnBeat) return exactly;
  const auto nearest = exactly.time_since_epoch() + beat / 2;
  return base::MonoTime(nearest - nearest % beat);
}

}  // namespace ingot::agent
