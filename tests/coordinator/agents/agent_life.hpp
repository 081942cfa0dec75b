// One process of an agent: it can die at any moment, and its disk stays.
#pragma once

#include "agent/agent.hpp"
#include "tests/coordinator/agents/mortal.hpp"

namespace ingot::tests {

struct AgentLife {
  AgentLife(base::Runtime runtime, std::unique_ptr<wire::AgentLink> inner, net::HttpTransport& network,
            WatchedJournal& disk, const std::string& name, const std::string& boot,
            base::ProcessRunner* programs = nullptr)
      : http(network, alive),
        processes(programs, alive),
        link(std::make_unique<MortalAgentLink>(std::move(inner), alive)),
        agent(runtime.named(name), *link, {http, processes}, (disk.alive = alive, disk),
              {.name = name,
               .boot = boot,
               .ended = disk.boots,
               .session = {.machineBoot = "m1"},
               .logPositions = disk.logPositions(),
               .erasures = disk.erasures.path()}),
        tasks(runtime.executor, runtime.log) {
    disk.noteBoot(boot);
    tasks.spawn("agent", agent.run());
  }
  Alive alive = std::make_shared<bool>(true);
  MortalTransport http;
  MortalProcesses processes;
  std::unique_ptr<wire::AgentLink> link;
  agent::Agent agent;
  base::TaskGroup tasks;
};

}  // namespace ingot::tests
