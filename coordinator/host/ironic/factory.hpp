// The Ironic provisioner's front door: one connection, one sweep and one cache for all hosts.
#pragma once

#include "base/runtime.hpp"
#include "coordinator/host/ironic/settings.hpp"
#include "coordinator/host/provisioner.hpp"
#include "ironic-client/connection.hpp"
#include "ironic-client/node_cache.hpp"
#include "ironic-client/sweep.hpp"

namespace ingot::coordinator::host::ironic_backend {

// Told before each verb that moves a node's power, boot or disks, so that whoever shares the BMC lets go first.
class Gate {
 public:
  virtual ~Gate() = default;
  // Returns when nobody else will touch this host's BMC. A `false` means "not yet": the operation waits and asks again.
  [[nodiscard]] virtual base::Task<bool> mayAct(const std::string& namespace_, const std::string& name,
                                                const std::string& uid) = 0;
};

class IronicFactory final : public ProvisionerFactory {
 public:
  // All that is lent outlives the factory. `gate`: nullptr when nobody shares BMCs with Ironic.
  IronicFactory(base::Runtime runtime, net::HttpTransport& transport, ironic::Settings connection, Settings settings,
                Gate* gate = nullptr, ironic::Pace pace = {});

  void listen(BackendListener& listener) override { listener_ = &listener; }
  [[nodiscard]] base::Task<std::unique_ptr<Provisioner>> open(HostData host, Publish publish) override;

  // The sweep; spawn it once, cancel it at the end.
  [[nodiscard]] base::Task<void> run() { return sweep_.run(); }

  [[nodiscard]] const ironic::NodeCache& nodes() const { return cache_; }

  // Makes Ironic's record follow a power that somebody else has changed and proved (DESIGN §2, "Ironic's memory").
  // Nothing is sent when the record agrees, or while Ironic owns the node. False: try again later.
  [[nodiscard]] base::Task<bool> recordPower(std::string uuid, bool on);

 private:
  void changed(const std::string& uuid);

  base::Runtime runtime_;
  Settings settings_;
  Gate* gate_;
  BackendListener* listener_ = nullptr;
  ironic::Connection connection_;
  ironic::NodeCache cache_;
  ironic::Sweep sweep_;
};

}  // namespace ingot::coordinator::host::ironic_backend
