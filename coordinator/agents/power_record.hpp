// Ironic's memory of a host's power, brought in step with what an agent has proved (docs/architecture.md,
// docs/decisions/0009).
#pragma once

#include "coordinator/agents/service.hpp"
#include "coordinator/host/power_actor.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace ingot::coordinator::agents {

// What an agent's power needs of Ironic; both are empty without it.
struct IronicRecord {
  // Makes the record of the host's node follow a power that an agent has proved. `proved` is asked right before the
  // request that may take its time. True: the record agrees.
  std::function<base::Task<bool>(host::PoweredHost host, bool on, std::function<bool()> proved)> follow;
  // Reads the node anew: whether Ironic is at work on it may have changed since the last look at all of them.
  std::function<base::Task<void>(std::string nodeId)> refresh;
  // A host of a BMC that keeps no boot device boots from it only when Ironic powers it on (spec/bmc.md §6.5).
  std::function<base::Task<bool>(host::PoweredHost host)> setsBootDevice;
};

class PowerRecord {
 public:
  PowerRecord(base::Runtime runtime, AgentService& agents, decltype(IronicRecord::follow) follow);

  // Requests go on in `group` when nobody waits for them any longer. None is sent before.
  void start(base::TaskGroup& group) { group_ = &group; }

  // Comes back when Ironic has answered, after two seconds at the latest: what an agent has proved is not kept from the
  // user for an Ironic that is slow. The request is not taken back then, for Ironic may carry it out all the same: it
  // stays under way, and with it the node unsettled (ironic-client/node_cache.hpp), so that no agent is told to switch
  // the host meanwhile. One at a time for a node.
  [[nodiscard]] base::Task<void> align(host::PoweredHost host);

 private:
  [[nodiscard]] base::Task<void> carryOut(host::PoweredHost host);
  [[nodiscard]] bool proved(const std::string& uid, bool on) const;

  base::Runtime runtime_;
  AgentService& agents_;
  decltype(IronicRecord::follow) follow_;
  base::TaskGroup* group_ = nullptr;
  std::map<std::string, std::shared_ptr<base::Notifier>> underWay_;  // by node
};

}  // namespace ingot::coordinator::agents
