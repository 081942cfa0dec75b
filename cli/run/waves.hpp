// Orders to many hosts, so many at a time.
#pragma once

#include "cli/decide/goal.hpp"
#include "cli/decide/power_plan.hpp"
#include "cli/run/session.hpp"

namespace ingot::cli {

using Planner = std::function<PowerPlan(const api::BareMetalHost&)>;

// Asks a host, as it was read, for what is planned for it. Throws a Failure when it refuses. The host as it is then.
[[nodiscard]] base::Task<api::BareMetalHost> askHost(Session& session, api::BareMetalHost host, PowerPlan plan);

// The hosts of a wave are asked, and have come to `goal`, failed or had `timeout`, before the next is. Hosts that are
// there already take no place in a wave, so that the same command again goes on where this one ended.
[[nodiscard]] base::Task<ExitCode> askInWaves(Session& session, std::vector<std::string> names, Planner plannedFor,
                                              Goal goal, Waves waves, base::Duration timeout);

}  // namespace ingot::cli
