// The disks of a host without Ironic, erased by its BMC when it is given back (docs/decisions/0022).
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "bmc/model/boot.hpp"
#include "coordinator/agents/agent_erasure.hpp"
#include "coordinator/host/provisioner.hpp"
#include "kube/core/config_map.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace ingot::coordinator::agents {

class DiskCleaning {
 public:
  // Of one host, from one pass to the next. Whoever has forgotten it asks the agent. Once its disks are erased they
  // stay so until it is deployed anew.
  struct State {
    // preparing: in its setup, so that the drives have power and no operating system runs
    enum class Phase { asking, preparing, erasing, erased };
    std::string job;
    Phase phase = Phase::asking;
    bool staysOff = false;                   // its BMC knows no setup to boot into
    std::optional<host::Refused> refused;    // until it is told
    std::optional<bmc::EraseOrder> checked;  // no other host has a disk of it
    bool isCalledOff = false;                // nothing is under way
  };

  // All of it outlives the call that it is lent to.
  struct Tools {
    base::Clock& clock;
    kube::Client& client;
    AgentService& agents;
    AgentErasure& erasure;
    const host::Publish& publish;
    // nullopt: the host will boot so, and has been switched off for it. `declined`: its BMC would not do so later
    // either.
    std::function<base::Task<std::optional<host::Progress>>(bmc::BootPlan plan, bool& declined)> prepareWhileOff;
    std::function<base::Task<host::Progress>()> turnOn;
    std::function<std::string(const std::string& uid, const bmc::EraseOrder& order)> otherWithDisk;  // shared_disks.hpp
  };

  DiskCleaning(Tools tools, std::map<std::string, State>& states) : tools_(std::move(tools)), states_(states) {}

  // One step of it. nullopt: the disks are erased. A refusal is answered until it is told.
  [[nodiscard]] base::Task<std::optional<host::Progress>> erase(api::BareMetalHost host);
  // The caller has shown what was refused: the next try is anew.
  void told(const std::string& uid) { states_.erase(uid); }
  // Nothing more is to be erased; what is under way is waited for. nullopt: nothing is. `isRemembered`: nobody but this
  // process can have begun it, and it would know.
  [[nodiscard]] std::optional<host::Progress> callOff(const api::BareMetalHost& host, bool isRemembered);

 private:
  void takeJob(State& state, const api::BareMetalHost& host) const;  // of this deprovisioning: another one begins anew
  [[nodiscard]] base::Task<std::optional<host::Progress>> step(api::BareMetalHost host);
  [[nodiscard]] base::Task<std::optional<host::Progress>> prepare(State& state);
  [[nodiscard]] base::Task<void> certify(api::BareMetalHost host, wire::EraseReport report);
  [[nodiscard]] base::Task<std::string> store(kube::ConfigMap certificate);

  Tools tools_;
  std::map<std::string, State>& states_;  // by uid
};

}  // namespace ingot::coordinator::agents
