// The processes of a plant that die and come back, for those who start and end them.
#pragma once

#include "tests/coordinator/agents/agent_life.hpp"
#include "tests/matrix/plant.hpp"

namespace ingot::tests::matrix {

// An agent: what outlives its processes, and the present one.
struct Plant::Box {
  WatchedJournal journal;
  std::unique_ptr<AgentLife> life;
};

}  // namespace ingot::tests::matrix
