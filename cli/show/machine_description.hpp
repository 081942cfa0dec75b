// `ingotctl describe machine` as text.
#pragma once

#include "cli/decide/machine_progress.hpp"
#include "kube/core/event.hpp"

namespace ingot::cli {

// Where it stands, why it is not further, what it has, conditions, what happened. `events`: in any order; nullopt: they
// are not known.
[[nodiscard]] std::string describeMachine(const MachinePicture& picture, std::optional<std::vector<kube::Event>> events,
                                          base::WallTime now);

}  // namespace ingot::cli
