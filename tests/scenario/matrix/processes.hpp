// The processes of a plant that die and come back, for those who start and end them.
#pragma once

#include "tests/scenario/matrix/plant.hpp"
#include "tests/support/no_processes.hpp"

namespace ingot::tests::matrix {

// One process of an agent.
struct AgentLife {
  AgentLife(base::Runtime runtime, std::unique_ptr<wire::AgentLink> inner, net::HttpTransport& network,
            WatchedJournal& journal, const std::string& name, const std::string& boot)
      : http(network, alive),
        link(std::make_unique<MortalAgentLink>(std::move(inner), alive)),
        agent(runtime.named(name), *link, {http, processes}, (journal.alive = alive, journal),
              {.name = name, .boot = boot}),
        tasks(runtime.executor, runtime.log) {
    tasks.spawn("agent", agent.run());
  }
  Alive alive = std::make_shared<bool>(true);
  MortalTransport http;
  NoProcesses processes;
  std::unique_ptr<wire::AgentLink> link;
  agent::Agent agent;
  base::TaskGroup tasks;
};

// An agent: what outlives its processes, and the present one.
struct Plant::Box {
  WatchedJournal journal;
  std::unique_ptr<AgentLife> life;
};

}  // namespace ingot::tests::matrix
