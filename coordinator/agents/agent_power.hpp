// Power through the agent that serves the host, through the provisioner where none does (docs/architecture.md).
#pragma once

#include "coordinator/agents/power_record.hpp"
#include "coordinator/agents/service.hpp"
#include "coordinator/host/power_actor.hpp"

namespace ingot::coordinator::agents {

class AgentPower final : public host::PowerActor {
 public:
  AgentPower(base::Runtime runtime, AgentService& agents, IronicRecord record);

  void start(base::TaskGroup& group) { record_.start(group); }
  struct LiveIsos {
    // Asked before a host is switched on (it is off) or restarted: one step of making it ready to boot. Done: it is.
    std::function<base::Task<host::Progress>(host::PoweredHost host, bool isOff)> makeReady;
    // Why a host that no agent serves is not to be switched on by its backend; "": it may be.
    std::function<base::Task<std::string>(host::PoweredHost host)> whyAgentsOnly;
  };
  void liveIsosBy(LiveIsos liveIsos) { liveIsos_ = std::move(liveIsos); }

  [[nodiscard]] base::Task<host::PowerReading> read(const host::PoweredHost& host,
                                                    host::PowerBackend& backend) override;
  [[nodiscard]] base::Task<host::Progress> turnOn(const host::PoweredHost& host, host::PowerBackend& backend,
                                                  host::PowerOn how) override;
  [[nodiscard]] base::Task<host::Progress> turnOff(const host::PoweredHost& host, host::PowerBackend& backend,
                                                   host::PowerOff how) override;
  void restartRecorded(const host::PoweredHost& host) override;
  [[nodiscard]] std::string whyNotNow(const host::PoweredHost& host, bmc::PowerAction action) override;
  void willAskOnce(const std::string& uid, bmc::PowerAction action) override;
  void askOnce(const std::string& uid, bmc::PowerAction action) override;
  [[nodiscard]] std::optional<Ended> endedOnce(const std::string& uid, bool isOrderedStill) override;
  void toldOnce(const std::string& uid) override { ended_.erase(uid); }
  [[nodiscard]] base::Task<host::Progress> checkAccess(const host::PoweredHost& host) override;
  [[nodiscard]] base::Task<bool> hasFailure(const host::PoweredHost& host, host::PowerBackend& backend) override;

 private:
  void noteEndedOneShot(const std::string& uid);
  [[nodiscard]] std::optional<SentCommand> takeEndedChange(const std::string& uid);
  [[nodiscard]] base::Task<std::optional<host::Progress>> notReady(host::PoweredHost host, bool isOff);
  [[nodiscard]] base::Task<std::string> whyNotByBackend(host::PoweredHost host);
  [[nodiscard]] base::Task<host::Progress> reach(host::PoweredHost host, bmc::PowerAction action);
  [[nodiscard]] base::Task<host::Progress> proved(host::PoweredHost host, bmc::Power power);
  [[nodiscard]] base::Task<host::Progress> restart(host::PoweredHost host, bool softly);
  [[nodiscard]] base::Task<host::Progress> send(host::PoweredHost host, bmc::PowerAction action);
  [[nodiscard]] base::Task<void> refreshNode(std::string nodeId);
  [[nodiscard]] base::Task<bool> bootsByIronicOnly(host::PoweredHost host);
  [[nodiscard]] base::Task<host::Progress> turnOnByIronic(host::PoweredHost host, host::PowerBackend& backend,
                                                          host::PowerOn how);

  base::Runtime runtime_;
  AgentService& agents_;
  decltype(IronicRecord::refresh) refresh_;
  decltype(IronicRecord::setsBootDevice) setsBootDevice_;
  PowerRecord record_;
  LiveIsos liveIsos_;
  host::ProvisionerPower fallback_;
  struct ByIronic {
    bool isOff = false;  // an agent has read it so, and Ironic was asked for nothing since
    int asked = 0;
  };
  // By uid, of what an operator asked for once: not sent yet; ended, and not told yet.
  std::map<std::string, bmc::PowerAction> toBeSent_;
  std::map<std::string, Ended> ended_;
  std::map<std::string, ByIronic> byIronic_;  // by uid: hosts that Ironic is to switch on, until they are read as on
};

}  // namespace ingot::coordinator::agents
