// Ironic's ports of a host: one for each network card we know of (spec/ironic.md §5.7). Never changed or deleted.
#pragma once

#include "coordinator/host/ironic/session.hpp"

#include <string>
#include <vector>

namespace ingot::coordinator::host::ironic_backend {

struct WantedPort {
  std::string mac;  // lower case
  bool pxe = true;

  friend bool operator==(const WantedPort&, const WantedPort&) = default;
};

// Pure: the ports that `host` should have, without those it has. The boot MAC always boots over the network.
[[nodiscard]] std::vector<WantedPort> missingPorts(const std::string& bootMac, const RegisterData& data,
                                                   const std::vector<ironic::Port>& present);

// Ports may be created now. (Elsewhere Ironic is at work on the node.)
[[nodiscard]] bool acceptsPorts(ironic::State state);

// Throws ProvisionerError{transient}; among others when a port belongs to another node. False: busy.
[[nodiscard]] base::Task<bool> ensurePorts(Session& session, NodePtr node, RegisterData data);

}  // namespace ingot::coordinator::host::ironic_backend
