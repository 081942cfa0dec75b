#include "coordinator/agents/agent_world.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr std::int64_t leastInventoryMs = 60'000;  // agents read it no more often

}  // namespace

AgentTiming timingFor(const PollSeconds& poll) {
  AgentTiming timing;
  timing.powerPollMs = static_cast<std::int64_t>(poll.power * 1000);
  timing.healthPollMs = static_cast<std::int64_t>(poll.health * 1000);
  timing.sensorPollMs = static_cast<std::int64_t>(poll.sensors * 1000);
  timing.logPollMs = static_cast<std::int64_t>(poll.logs * 1000);
  const auto inventory = static_cast<std::int64_t>(poll.inventory * 1000);
  timing.inventoryPollMs = inventory == 0 ? 0 : std::max(inventory, leastInventoryMs);
  // The limit is never shorter than what a BMC that is slow for a moment may need.
  timing.facts.power = std::max(timing.facts.power, base::Duration(std::chrono::milliseconds(4 * timing.powerPollMs)));
  timing.facts.health =
      std::max(timing.facts.health, base::Duration(std::chrono::milliseconds(3 * timing.healthPollMs)));
  return timing;
}

}  // namespace ingot::coordinator::agents
