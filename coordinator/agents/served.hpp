// What the service remembers of one host. Private to coordinator/agents.
#pragma once

#include "coordinator/agents/service.hpp"

namespace ingot::coordinator::agents {

// What a grant is made from: another value means another grant.
struct GrantBasis {
  std::string agent, peer, address, username;
  base::Secret password;
  bool verifyCertificate = true;
  bool mayAct = false;

  [[nodiscard]] bool sameAccess(const GrantBasis& other) const {
    return address == other.address && username == other.username && password == other.password &&
           verifyCertificate == other.verifyCertificate;
  }
  friend bool operator==(const GrantBasis&, const GrantBasis&) = default;
};

struct AgentService::Served {
  kube::ObjectKey key;
  std::string agent;       // name of the ProvisioningAgent that reads it; "" nobody
  GrantBasis granted;      // as last sent; default: nothing
  bool grantAnew = false;  // the agent may have lost it
  base::MonoTime grantedAt{};
  wire::Token accessGrant;  // the first grant with the present address and credentials
};

}  // namespace ingot::coordinator::agents
