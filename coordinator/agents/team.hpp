// Everything that agents need while this process leads, put together.
#pragma once

#include "base/vital.hpp"
#include "coordinator/agents/agent_power.hpp"
#include "coordinator/agents/service.hpp"
#include "coordinator/host/ironic/factory.hpp"

namespace ingot::coordinator::agents {

// What the team works with; all of it outlives the team.
struct TeamWorld {
  base::Runtime runtime;
  kube::Client& client;
  kube::Cache<api::BareMetalHost>& hosts;
  kube::Cache<kube::Secret>& secrets;
  kube::EventRecorder& events;
  wire::CoordinatorLink& link;
  host::ironic_backend::IronicFactory* ironic;  // nullptr: no Ironic
  std::function<void(const kube::ObjectKey&)> wake;
  std::int64_t term;
  AgentTiming timing;
};

class Team {
 public:
  explicit Team(TeamWorld world);  // closes Ironic's gate to itself

  void start(base::VitalTasks& tasks);
  [[nodiscard]] host::PowerActor& power() { return power_; }

 private:
  TeamWorld world_;
  kube::Cache<api::ProvisioningAgent> agents_;
  AgentService service_;
  AgentPower power_;
};

}  // namespace ingot::coordinator::agents
