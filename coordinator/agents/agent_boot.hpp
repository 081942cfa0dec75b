// What a host boots from, through the agent that serves it.
#pragma once

#include "coordinator/agents/service.hpp"
#include "coordinator/host/progress.hpp"

namespace ingot::coordinator::agents {

struct BootStep {
  host::Progress progress;  // Done: the host will boot so
  bool lasts = false;       // at every boot, not at the next one only
  bool declined = false;    // by the BMC itself: it would not do otherwise later
};

class AgentBoot {
 public:
  AgentBoot(base::Runtime runtime, AgentService& agents) : runtime_(std::move(runtime)), agents_(agents) {}

  // One step of making the host ready. The end is told once: the next call begins anew. The power stays as it is.
  [[nodiscard]] BootStep prepare(const std::string& uid, const bmc::BootPlan& plan);

 private:
  base::Runtime runtime_;
  AgentService& agents_;
};

// For people: why nobody does anything for this host.
inline constexpr std::string_view noAgent =
    "no agent serves this host; is one running and approved for its network (kubectl get provisioningagents)?";

}  // namespace ingot::coordinator::agents
