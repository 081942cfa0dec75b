// The Ironic provisioner's front door: one connection, one sweep and one cache for all hosts.
#pragma once

#include "base/metrics.hpp"
#include "coordinator/host/ironic/gate.hpp"
#include "coordinator/host/ironic/session.hpp"
#include "coordinator/host/ironic/settings.hpp"
#include "coordinator/host/provisioner.hpp"

namespace ingot::coordinator::host::ironic_backend {

class IronicFactory final : public ProvisionerFactory {
 public:
  // All that is lent outlives the factory. `gate`: nullptr when nobody shares BMCs with Ironic.
  IronicFactory(base::Runtime runtime, net::HttpTransport& transport, ironic::Settings connection, Settings settings,
                Gate* gate = nullptr, ironic::Pace pace = {});

  [[nodiscard]] kube::Subscription listen(BackendListeners::Listener listener) override {
    return listeners_.add(std::move(listener));
  }
  // The same as the constructor's, for whoever is made later.
  void setGate(Gate& gate) { shared_.gate = &gate; }

  // Shows there from now on whether Ironic is ready. The page outlives the factory.
  void showAt(base::Metrics& page);

  [[nodiscard]] base::Task<std::unique_ptr<Provisioner>> open(HostData host, Publish publish) override;

  // The sweep; spawn it once, cancel it at the end.
  [[nodiscard]] base::Task<void> run() { return sweep_.run(); }

  // One look at all nodes, out of turn. Throws ProvisionerError{notReady}.
  [[nodiscard]] base::Task<void> lookNow();

  [[nodiscard]] const ironic::NodeCache& nodes() const { return cache_; }

  // Reads one node, out of turn. Throws ProvisionerError.
  [[nodiscard]] base::Task<void> refresh(std::string uuid);
  // Ironic sets the node's boot device again when it powers it on, and nobody else does.
  [[nodiscard]] base::Task<bool> setsBootDevice(HostData host);

  // Its machine runs this image, which an agent has booted.
  [[nodiscard]] base::Task<bool> isBootedByAgent(HostData host, std::string image);

  // Makes Ironic's record follow a power that somebody else has changed and proved: its power sync would undo it
  // otherwise (docs/decisions/0009). Nothing is sent when the record agrees, while Ironic owns the node, unless the
  // node carries the host's name, or when `proved` says by then that it is not so any more. True: the record agrees.
  // False: look again. Throws ProvisionerError.
  [[nodiscard]] base::Task<bool> recordPower(HostData host, bool on, std::function<bool()> proved);

 private:
  [[nodiscard]] base::Task<std::shared_ptr<ironic::Client>> client();  // throws ProvisionerError{notReady}

  ironic::Connection connection_;
  ironic::NodeCache cache_;
  ironic::Sweep sweep_;
  Shared shared_;
  BackendListeners listeners_;
};

}  // namespace ingot::coordinator::host::ironic_backend
