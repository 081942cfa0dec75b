// How long a host waits (spec/baremetalhost.md §1, §6).
#pragma once

#include "base/clock.hpp"
#include "base/random.hpp"

namespace ingot::coordinator::host {

inline constexpr base::Duration missingSecretDelay = std::chrono::seconds(10);
inline constexpr base::Duration backendNotReadyDelay = std::chrono::seconds(30);
inline constexpr base::Duration backendMaySleep = std::chrono::minutes(2);  // and what it said of power still counts
inline constexpr base::Duration steadyPollDelay = std::chrono::seconds(60);
inline constexpr base::Duration unmanagedPollDelay = std::chrono::minutes(10);

// No wait after a failure is longer: a host must not look dead for hours after its BMC came back.
inline constexpr base::Duration longestFailureDelay = std::chrono::minutes(10);

// After this many failures in a row a deletion stops insisting on its current step.
inline constexpr int deletionPatience = 3;

// A host on its way out does not wait long for a BMC that nobody can reach, or that refuses: with the tries of both
// steps (deprovisioning, power-off) it is gone within ten minutes.
inline constexpr base::Duration deletionFailureDelay = std::chrono::seconds(30);

// What is refused on the spot, which counts no try, is tried again soon, and then in growing pauses.
inline constexpr base::Duration shortestHeldDelay = std::chrono::seconds(1);
inline constexpr base::Duration heldDeletionDelay = std::chrono::seconds(15);

// Uniform in (b/2, b], b = min(2^errorCount minutes, longestFailureDelay).
[[nodiscard]] base::Duration failureDelay(int errorCount, base::Random& random);

// `about` give or take a fifth: many hosts that wait for the same thing do not come all at once.
[[nodiscard]] base::Duration jittered(base::Duration about, base::Random& random);

}  // namespace ingot::coordinator::host
