// Hosts without Ironic: whatever is done to them, the agent beside their BMC does (docs/guide/without-ironic.md).
#pragma once

#include "coordinator/agents/agent_boot.hpp"
#include "coordinator/agents/agent_erasure.hpp"
#include "coordinator/agents/agent_power.hpp"
#include "coordinator/host/provisioner.hpp"

namespace ingot::coordinator::agents {

// What is remembered of hosts from one pass to the next, by uid. Whoever has forgotten it begins anew: a host that is
// being provisioned is switched off and set again.
struct AgentProvisioning {
  struct Ready {
    bmc::BootPlan plan;
    base::MonoTime at{};
  };
  // The disks of a host that is being given back. Once they are erased they stay so until it is deployed anew.
  struct Cleaning {
    // preparing: in its setup, so that the drives have power and no operating system runs
    enum class Phase { asking, preparing, erasing, erased };
    std::string job;
    Phase phase = Phase::asking;
    bool staysOff = false;                 // its BMC knows no setup to boot into
    std::optional<host::Refused> refused;  // told once the host is off, without its image
  };
  std::map<std::string, Ready> ready;  // the host will boot so, or does already
  std::map<std::string, Cleaning> cleaning;
  std::set<std::string> refused;  // asked for what only Ironic can do: nothing of it was begun
  std::set<std::string> begun;    // an Event said so
  std::set<std::string> letGo;    // detached: whose the machine is, is asked anew

  void forget(const std::string& uid) {
    ready.erase(uid);
    cleaning.erase(uid);
    refused.erase(uid);
    begun.erase(uid);
  }
};

class AgentProvisionerFactory final : public host::ProvisionerFactory {
 public:
  AgentProvisionerFactory(base::Runtime runtime, kube::Client& client, AgentService& agents, AgentPower& power,
                          AgentBoot& boot, const kube::Cache<api::BareMetalHost>& hosts)
      : runtime_(std::move(runtime)),
        client_(client),
        agents_(agents),
        power_(power),
        boot_(boot),
        erasure_(agents),
        hosts_(hosts) {}

  [[nodiscard]] base::Task<std::unique_ptr<host::Provisioner>> open(host::HostData host,
                                                                    host::Publish publish) override;

 private:
  base::Runtime runtime_;
  kube::Client& client_;
  AgentService& agents_;
  AgentPower& power_;
  AgentBoot& boot_;
  AgentErasure erasure_;
  const kube::Cache<api::BareMetalHost>& hosts_;
  AgentProvisioning progress_;
};

}  // namespace ingot::coordinator::agents
