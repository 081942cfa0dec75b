// The coordinator's end of the agent link: who serves which host, with which right, and what came back.
#pragma once

#include "coordinator/agents/commands.hpp"
#include "coordinator/agents/jobs.hpp"
#include "coordinator/host/ironic/gate.hpp"

namespace ingot::coordinator::agents {

// Hands what is heard to the part that it concerns, and has each part let go of what another one has ended.
class AgentService final : public host::ironic_backend::Gate {
 public:
  AgentService(base::Runtime runtime, AgentWorld world, AgentTiming timing = {});

  // Serves until cancelled.
  [[nodiscard]] base::Task<void> run();

  // Gate: revokes the agent's lease; true once nothing of it can reach the BMC any more.
  [[nodiscard]] base::Task<bool> acquireBmc(std::string uid) override;
  void releaseBmc(const std::string& uid) override { grants_.releaseBmc(uid); }

  [[nodiscard]] const Grants& grants() const { return grants_; }
  [[nodiscard]] const Facts& facts() const { return facts_; }
  [[nodiscard]] const Commands& commands() const { return commands_; }
  [[nodiscard]] Commands& commands() { return commands_; }
  [[nodiscard]] Jobs& jobs() { return jobs_; }
  [[nodiscard]] const Jobs& jobs() const { return jobs_; }

 private:
  [[nodiscard]] GrantListener listener();
  [[nodiscard]] base::Task<void> keepInStep();
  void handle(Connection& from, const wire::Message& message);
  void takeHeartbeat(Connection& from, const wire::Heartbeat& heartbeat);

  base::Runtime runtime_;
  AgentWorld world_;
  AgentTiming timing_;
  Conversation conversation_;
  Grants grants_;
  Facts facts_;
  Commands commands_;
  Jobs jobs_;
};

}  // namespace ingot::coordinator::agents
