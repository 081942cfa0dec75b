// Many hosts that one agent is to serve, under the agents' service alone: no host controller, no Ironic, no BMCs. The
// agent says hello, takes its grants and does nothing.
#pragma once

#include "coordinator/agents/service.hpp"
#include "tests/coordinator/agents/agent_stage.hpp"

namespace ingot::tests {

struct Fleet : AgentStage {
  // Not `served`: the service does not run, and the link is another's.
  explicit Fleet(int size, base::Duration packAfter = {}, bool served = true)
      : AgentStage(size, packAfter), service(runtime, world()) {
    if (served) tasks.spawn("service", service.run());
    tasks.spawn("agent", hear());
    tasks.spawn("heartbeats", live());
    clock.advance(std::chrono::seconds(5));
  }
  ~Fleet() { run(tasks.close()); }

  coordinator::agents::AgentService service;
  int grants = 0, acknowledged = 0, queries = 0;
  std::optional<wire::Grant> lastGrant;
  std::optional<wire::Command> lastCommand;
  std::vector<wire::LogAcknowledge> logAcknowledged;

 private:
  base::Task<void> hear() {
    while (true) {
      const auto message = wire::decode(co_await agent->receive());
      if (!message) continue;
      if (const auto* grant = std::get_if<wire::Grant>(&*message)) ++grants, lastGrant = *grant;
      if (const auto* command = std::get_if<wire::Command>(&*message)) lastCommand = *command;
      if (const auto* log = std::get_if<wire::LogAcknowledge>(&*message)) logAcknowledged.push_back(*log);
      if (std::holds_alternative<wire::Acknowledge>(*message)) ++acknowledged;
      if (std::holds_alternative<wire::CommandQuery>(*message)) ++queries;
      if (const auto* welcome = std::get_if<wire::Welcome>(&*message); welcome && welcome->sayHello) sayHello();
    }
  }
  base::Task<void> live() {
    sayHello();
    while (true) {
      co_await clock.sleepFor(std::chrono::seconds(2));
      say(wire::Heartbeat{.stampMs = stamp(), .hosts = grants, .term = term});
    }
  }
};

}  // namespace ingot::tests
