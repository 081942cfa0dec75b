// What a registration writes (spec/ironic.md §6.1). Pure.
#pragma once

#include "bmc/model/address.hpp"
#include "coordinator/host/ironic/settings.hpp"
#include "coordinator/host/provisioner.hpp"
#include "ironic-client/node_patch.hpp"
#include "ironic-client/version.hpp"

namespace ingot::coordinator::host::ironic_backend {

// "" when this Ironic can manage such a host, else the text for the user.
[[nodiscard]] std::string refusal(const bmc::Address& address, const RegisterData& data, const Settings& settings,
                                  const ironic::Features& features);

// The body of POST /v1/nodes.
[[nodiscard]] json::Object newNode(const HostData& host, const bmc::Address& address, const RegisterData& data,
                                   json::Object driverInfo, const ironic::Features& features);

// Brings the record of a node that was there before to who it belongs to and how it is reached.
[[nodiscard]] ironic::NodePatch identityPatch(const ironic::Node& node, const HostData& host, const RegisterData& data,
                                              const json::Object& driverInfo, const ironic::Features& features,
                                              bool credentialsChanged);

// And to how it is to be used.
[[nodiscard]] ironic::NodePatch configurationPatch(const ironic::Node& node, const bmc::Address& address,
                                                   const RegisterData& data, const Settings& settings);

}  // namespace ingot::coordinator::host::ironic_backend
