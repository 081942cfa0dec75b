// The drives of a host erased through the agent that serves it.
#pragma once

#include "coordinator/agents/service.hpp"
#include "coordinator/host/progress.hpp"

namespace ingot::coordinator::agents {

struct EraseStep {
  host::Progress progress;                  // Done: the drives are erased
  bool isIdle = false;                      // nothing more was to be begun, and nothing is under way
  std::optional<wire::EraseReport> report;  // of the agent; while it goes on and at its end
};

class AgentErasure {
 public:
  explicit AgentErasure(AgentService& agents) : agents_(agents) {}

  // One step of it. The end is told once: the next call begins anew, and the agent knows what it has done.
  [[nodiscard]] EraseStep step(const std::string& uid, const EraseAsk& ask);

 private:
  AgentService& agents_;
};

}  // namespace ingot::coordinator::agents
