// Power through the agent that serves the host, through the provisioner where none does (DESIGN §2, §3).
#pragma once

#include "coordinator/agents/service.hpp"
#include "coordinator/host/power_actor.hpp"

namespace ingot::coordinator::agents {

// What an agent's power needs of Ironic; both are empty without it.
struct IronicRecord {
  // Makes the node's record follow a power that an agent has proved. True: it agrees.
  std::function<base::Task<bool>(std::string nodeId, bool on)> follow;
  // Reads the node anew: whether Ironic is at work on it may have changed since the last look at all of them.
  std::function<base::Task<void>(std::string nodeId)> refresh;
};

class AgentPower final : public host::PowerActor {
 public:
  AgentPower(base::Runtime runtime, AgentService& agents, IronicRecord record);

  [[nodiscard]] base::Task<host::PowerReading> read(const host::PoweredHost& host, host::Provisioner& backend) override;
  [[nodiscard]] base::Task<host::Result> turnOn(const host::PoweredHost& host, host::Provisioner& backend,
                                                bool force) override;
  [[nodiscard]] base::Task<host::Result> turnOff(const host::PoweredHost& host, host::Provisioner& backend,
                                                 host::RebootMode mode, bool force) override;
  void restartRecorded(const host::PoweredHost& host) override;
  [[nodiscard]] base::Task<host::Result> checkAccess(const host::PoweredHost& host) override;
  [[nodiscard]] base::Task<bool> hasFailure(const host::PoweredHost& host, host::Provisioner& backend) override;

 private:
  [[nodiscard]] base::Task<host::Result> reach(host::PoweredHost host, bmc::PowerAction action);
  [[nodiscard]] base::Task<host::Result> restart(host::PoweredHost host, bool softly);
  [[nodiscard]] base::Task<host::Result> send(host::PoweredHost host, bmc::PowerAction action);
  [[nodiscard]] base::Task<void> refreshNode(std::string nodeId);
  [[nodiscard]] base::Task<void> alignRecord(std::string nodeId, std::string uid, bool on);

  base::Runtime runtime_;
  AgentService& agents_;
  IronicRecord record_;
  host::ProvisionerPower fallback_;
};

}  // namespace ingot::coordinator::agents
