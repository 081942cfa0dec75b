// Hosts without Ironic: whatever is done to them, the agent beside their BMC does (docs/guide/without-ironic.md).
#pragma once

#include "coordinator/agents/host_steps.hpp"

namespace ingot::coordinator::agents {

// What is remembered of hosts from one pass to the next, by uid. Whoever has forgotten it begins anew: a host that is
// being provisioned is switched off and set again.
struct AgentProvisioning {
  StepsTaken steps;
  std::set<std::string> refused;    // asked for what only Ironic can do: nothing of it was begun
  std::set<std::string> inherited;  // a coordinator before this one may have begun it
  std::set<std::string> seenFree;   // before its provisioning: that begins under our eyes
  std::set<std::string> begun;      // an Event said so
  std::set<std::string> occupied;   // it may have booted an image since it was begun
  std::set<std::string> letGo;      // detached: whose the machine is, is asked anew

  void forget(const std::string& uid) {
    steps.forget(uid);
    refused.erase(uid);
    inherited.erase(uid);
    seenFree.erase(uid);
    begun.erase(uid);
    occupied.erase(uid);
  }
};

class AgentProvisionerFactory final : public host::ProvisionerFactory {
 public:
  AgentProvisionerFactory(base::Runtime runtime, kube::Client& client, AgentService& agents, AgentPower& power,
                          AgentBoot& boot, const kube::Cache<api::BareMetalHost>& hosts)
      : runtime_(std::move(runtime)), client_(client), agents_(agents), power_(power), boot_(boot), hosts_(hosts) {}

  [[nodiscard]] base::Task<std::unique_ptr<host::Provisioner>> open(host::HostData host,
                                                                    host::Publish publish) override;

 private:
  base::Runtime runtime_;
  kube::Client& client_;
  AgentService& agents_;
  AgentPower& power_;
  AgentBoot& boot_;
  const kube::Cache<api::BareMetalHost>& hosts_;
  AgentProvisioning progress_;
};

}  // namespace ingot::coordinator::agents
