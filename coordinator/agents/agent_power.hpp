// Power through the agent that serves the host, through the provisioner where none does (DESIGN §2, §3).
#pragma once

#include "coordinator/agents/service.hpp"
#include "coordinator/host/power_actor.hpp"

namespace ingot::coordinator::agents {

// Makes Ironic's record follow a power that an agent has proved. True: it agrees.
using RecordPower = std::function<base::Task<bool>(std::string nodeId, bool on)>;

class AgentPower final : public host::PowerActor {
 public:
  AgentPower(base::Runtime runtime, AgentService& agents, RecordPower record);

  [[nodiscard]] base::Task<host::PowerReading> read(const host::PoweredHost& host, host::Provisioner& backend) override;
  [[nodiscard]] base::Task<host::Result> turnOn(const host::PoweredHost& host, host::Provisioner& backend,
                                                bool force) override;
  [[nodiscard]] base::Task<host::Result> turnOff(const host::PoweredHost& host, host::Provisioner& backend,
                                                 host::RebootMode mode, bool force) override;
  [[nodiscard]] base::Task<host::Result> checkAccess(const host::PoweredHost& host) override;
  [[nodiscard]] base::Task<bool> hasFailure(const host::PoweredHost& host, host::Provisioner& backend) override;

 private:
  [[nodiscard]] host::Result reach(const host::PoweredHost& host, bmc::PowerAction action);
  [[nodiscard]] host::Result restart(const host::PoweredHost& host, bool softly);
  [[nodiscard]] host::Result send(const host::PoweredHost& host, bmc::PowerAction action);
  [[nodiscard]] base::Task<void> alignRecord(std::string nodeId, std::string uid, bool on);

  base::Runtime runtime_;
  AgentService& agents_;
  RecordPower record_;
  host::ProvisionerPower fallback_;
};

}  // namespace ingot::coordinator::agents
