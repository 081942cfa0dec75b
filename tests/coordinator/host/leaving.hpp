// A host on its way out, from pass to pass.
#pragma once

#include "tests/coordinator/host/bench.hpp"

namespace ingot::tests {

// Passes until the host is gone, in the time that they ask for.
inline base::Duration timeToLeave(Bench& b) {
  const auto begun = b.loop.clock.now();
  for (int i = 0; i < 1000; ++i) {
    const auto delay = b.pass();
    for (const auto& event : b.journal.events()) b.allEvents.push_back(event.reason + ": " + event.message);
    if (!delay) return b.loop.clock.now() - begun;
    b.loop.clock.advance(std::max<base::Duration>(*delay, std::chrono::milliseconds(1)));
  }
  return std::chrono::hours(1000);
}

inline bool wasTold(const Bench& b, const std::string& text) {
  return std::ranges::any_of(b.allEvents, [&](const auto& told) { return told.find(text) != std::string::npos; });
}

}  // namespace ingot::tests
