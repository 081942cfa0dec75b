// Who may go first at a BMC.
#pragma once

#include <cstddef>

namespace ingot::bmc {

// Within a lane: first come, first served.
enum class Lane { fencing, operatorCommand, reconcile, polling, background };
inline constexpr std::size_t laneCount = 5;
[[nodiscard]] constexpr bool isUrgent(Lane lane) { return lane == Lane::fencing || lane == Lane::operatorCommand; }
// Readings that nobody waits for.
[[nodiscard]] constexpr bool isRoutine(Lane lane) { return lane == Lane::polling || lane == Lane::background; }

}  // namespace ingot::bmc
