// Everything that agents need while this process leads, put together.
#pragma once

#include "base/vital.hpp"
#include "coordinator/agents/agent_cleaning.hpp"
#include "coordinator/agents/agent_health.hpp"
#include "coordinator/agents/agent_inspection.hpp"
#include "coordinator/agents/agent_live_boot.hpp"
#include "coordinator/agents/agent_power.hpp"
#include "coordinator/agents/agent_provisioner.hpp"
#include "coordinator/agents/keys.hpp"
#include "coordinator/agents/later_terms.hpp"
#include "coordinator/agents/service.hpp"
#include "coordinator/host/ironic/factory.hpp"
#include "kube/runtime/unreadable.hpp"

namespace ingot::coordinator::agents {

// What the team works with; all of it outlives the team.
struct TeamWorld {
  base::Runtime runtime;
  kube::Client& client;
  kube::Cache<api::BareMetalHost>& hosts;
  kube::Cache<kube::Secret>& secrets;
  const host::SecretUsers& secretUsers;
  kube::EventRecorder& events;
  wire::CoordinatorLink& link;
  host::ironic_backend::IronicFactory* ironic;  // nullptr: no Ironic
  std::function<void(const kube::ObjectKey&)> wake;
  std::int64_t term;
  api::Carrying carrying;  // what hosts that are moved say of this term
  AgentTiming timing;
  ReadingBook* readings = nullptr;  // nullptr: sensors are not read
  LogBook* logs = nullptr;          // nullptr: logs are not read
  HardwareBook* hardware = nullptr;
  kube::Unreadable unreadable = {};
  bool agentsOnly = false;  // they are the backend
  wire::KeyPair keys = {};
  std::optional<std::string> keysNamespace = {};  // of the Secret that has them; nullopt: they are files of ours
};

class Team {
 public:
  explicit Team(TeamWorld world);  // closes Ironic's gate to itself

  void start(base::VitalTasks& tasks);
  [[nodiscard]] host::PowerActor& power() { return power_; }
  [[nodiscard]] host::OutOfBandInspection& inspection() { return inspection_; }
  [[nodiscard]] host::OutOfBandCleaning& cleaning() { return cleaning_; }
  [[nodiscard]] host::OutOfBandBoot& liveBoot() { return liveBoot_; }
  [[nodiscard]] const host::OutOfBandHealth& health() const { return health_; }
  [[nodiscard]] host::ProvisionerFactory& provisioner() { return provisioner_; }

  struct Reading {
    bmc::Power power = bmc::Power::unknown;  // as Commands::provedPower; unknown while a command is under way
    base::MonoTime at;
  };
  // What the agent that serves the host of this uid has read last; empty: none does, or it has read nothing yet.
  [[nodiscard]] std::optional<Reading> lastReading(const std::string& uid) const;

 private:
  // Who has booted the live ISO that a host runs from.
  struct BootedBy {
    bool isAgent = false;
    std::string untold;  // why that is not known
  };
  [[nodiscard]] base::Task<BootedBy> bootedBy(host::PoweredHost host, std::shared_ptr<const api::BareMetalHost> stored);
  [[nodiscard]] base::Task<host::Progress> makeReady(host::PoweredHost host, bool isOff);
  [[nodiscard]] base::Task<std::string> whyAgentsOnly(host::PoweredHost host);

  TeamWorld world_;
  kube::Cache<api::ProvisioningAgent> agents_;
  LaterTerms laterTerms_;
  std::unique_ptr<KeyKeeper> keyKeeper_;  // where the keys are in a Secret
  AgentService service_;
  AgentPower power_;
  AgentHealth health_{service_};
  AgentInspection inspection_;
  AgentBoot boot_;
  AgentCleaning cleaning_;
  AgentLiveBoot liveBoot_;
  AgentProvisionerFactory provisioner_;
};

}  // namespace ingot::coordinator::agents
