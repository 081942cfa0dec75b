// Steps that an agent takes with a host while nobody else acts on it: off, set up to boot, on, its disks erased.
#pragma once

#include "coordinator/agents/agent_boot.hpp"
#include "coordinator/agents/agent_power.hpp"
#include "coordinator/agents/disk_cleaning.hpp"
#include "coordinator/host/provisioner.hpp"

namespace ingot::coordinator::agents {

// What is remembered of hosts from one pass to the next, by uid. Whoever has forgotten it begins anew: a host is
// switched off and set again.
struct StepsTaken {
  struct Ready {
    bmc::BootPlan plan;
    base::MonoTime at{};
  };
  struct Switching {
    bmc::BootPlan plan;                   // what for
    std::optional<WaitTime> toOn, toOff;  // until it is
    std::optional<bool> provedOn;         // it was brought to it
  };
  std::map<std::string, Ready> ready;  // the host will boot so, or does already
  std::map<std::string, Switching> switching;
  std::map<std::string, DiskCleaning::State> cleaning;

  void forget(const std::string& uid) {
    ready.erase(uid);
    switching.erase(uid);
    cleaning.erase(uid);
  }
};

class HostSteps {
 public:
  struct Tools {
    base::Clock& clock;
    kube::Client& client;
    AgentService& agents;
    AgentPower& power;
    AgentBoot& boot;
    const kube::Cache<api::BareMetalHost>& hosts;
  };
  struct Of {
    kube::ObjectKey key;
    std::string uid;
    std::function<void()> confirmWish;  // as HostData::confirmWish
    bool isLent = false;                // as PoweredHost::isLent
  };
  // All of it outlives the steps. `backend` is asked for power where no agent serves the host.
  HostSteps(Of host, const host::Publish& publish, Tools tools, host::PowerBackend& backend, StepsTaken& taken)
      : host_(std::move(host)),
        publish_(publish),
        tools_(tools),
        erasure_(tools.agents),
        backend_(backend),
        taken_(taken) {}

  // nullopt: the host will boot so, and has been switched off for it. `isDeclined`: its BMC would not do so later
  // either.
  [[nodiscard]] base::Task<std::optional<host::Progress>> prepareWhileOff(bmc::BootPlan plan,
                                                                          bool* isDeclined = nullptr);
  [[nodiscard]] base::Task<host::Progress> turnOn();
  [[nodiscard]] base::Task<host::Progress> turnOff();

  struct GiveBack {
    bool cleans = false;        // the disks are erased; else what an agent is at is called off
    bool isRemembered = false;  // nobody but this process can have begun an erasure, and it would know
    bool staysOn = false;       // the host is left as it is, where nothing is to be erased
  };
  // Done: that is so, what was to be booted is taken out, and the host is off. A refusal comes after that: a host that
  // goes is not to boot again what it ran.
  [[nodiscard]] base::Task<host::Progress> giveBack(api::BareMetalHost host, GiveBack how);

  // A host that goes is not given up for an agent that restarts: it would run on, from an image that is still there.
  [[nodiscard]] host::Progress nobody() const;
  // An agent serves the host, or one that may can still come.
  [[nodiscard]] bool isServed() const;
  // A power change that has not come about, and may yet, is no failure of the work: for a while, or ever.
  enum class Patience { aWhile, endless };
  [[nodiscard]] host::Progress patiently(host::Progress progress, Patience patience) const;

  [[nodiscard]] std::shared_ptr<const api::BareMetalHost> stored() const { return tools_.hosts.find(host_.key); }

 private:
  [[nodiscard]] DiskCleaning cleaning();
  StepsTaken::Switching& switching();
  [[nodiscard]] base::Task<host::Progress> turn(bool on);
  [[nodiscard]] host::PoweredHost wished(bool on) const;
  [[nodiscard]] bool isReady(const bmc::BootPlan& plan) const;

  Of host_;
  const host::Publish& publish_;
  Tools tools_;
  AgentErasure erasure_;
  host::PowerBackend& backend_;
  StepsTaken& taken_;
};

}  // namespace ingot::coordinator::agents
