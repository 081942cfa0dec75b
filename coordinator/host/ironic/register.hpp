// Registration: the node exists, knows its BMC and leaves "enroll" (spec/ironic.md §6.1). Runs in every reconcile, so a
// node that is as wanted costs no request.
#pragma once

#include "coordinator/host/ironic/session.hpp"

namespace ingot::coordinator::host::ironic_backend {

struct RegisterFlags {
  bool credentialsChanged = false;
  bool restartOnFailure = false;
};

// Pure. "" when this Ironic can manage such a host, else the text for the user.
[[nodiscard]] std::string refusal(const bmc::Address& address, const RegisterData& data, const Settings& settings,
                                  const ironic::Features& features);

// Pure: the body of POST /v1/nodes.
[[nodiscard]] json::Object newNode(const HostData& host, const bmc::Address& address, const RegisterData& data,
                                   json::Object driverInfo, const ironic::Features& features);

// Pure: brings the record of a node that was there before to who it belongs to and how it is reached.
[[nodiscard]] ironic::NodePatch identityPatch(const ironic::Node& node, const HostData& host, const RegisterData& data,
                                              const json::Object& driverInfo, const ironic::Features& features,
                                              bool credentialsChanged);

// Pure: and to how it is to be used.
[[nodiscard]] ironic::NodePatch configurationPatch(const ironic::Node& node, const bmc::Address& address,
                                                   const RegisterData& data, const Settings& settings);

// Pure: what comes after the record is up to date.
[[nodiscard]] Plan planRegistration(const ironic::Node& node, RegisterFlags flags);

[[nodiscard]] base::Task<Registered> registerHost(Session& session, RegisterData data, RegisterFlags flags);

}  // namespace ingot::coordinator::host::ironic_backend
