// `ingotctl why` as text: where it stands, the facts and their age, the next step.
#pragma once

#include "cli/decide/machine_progress.hpp"

namespace ingot::cli {

[[nodiscard]] std::string whyMachine(const MachinePicture& picture, base::WallTime now);
[[nodiscard]] std::string whyHost(const api::BareMetalHost& host, base::WallTime now);

// "waits for a host, for 3m"; "ready, Node edge-0".
[[nodiscard]] std::string machineStanding(const MachinePicture& picture, const std::optional<Obstacle>& obstacle,
                                          base::WallTime now);

}  // namespace ingot::cli
