// What the service remembers of one host. Private to coordinator/agents.
#pragma once

#include "coordinator/agents/bmc_trust.hpp"
#include "coordinator/agents/service.hpp"

namespace ingot::coordinator::agents {

// What a grant is made from: another value means another grant.
struct GrantBasis {
  std::string agent, peer, address, username;
  base::Secret password;
  bool verifyCertificate = true;
  BmcTrust trust = {};
  bool mayAct = false;

  [[nodiscard]] bool sameAccess(const GrantBasis& other) const {
    return address == other.address && username == other.username && password == other.password &&
           verifyCertificate == other.verifyCertificate && trust == other.trust;
  }
  friend bool operator==(const GrantBasis&, const GrantBasis&) = default;
};

// By its scheme; false for an address that is none.
[[nodiscard]] bool speaksIpmi(const std::string& address);

// An interval as it is behind this address: longer with IPMI, where ipmitool takes seconds.
[[nodiscard]] std::int64_t intervalBehind(const std::string& address, std::int64_t milliseconds);

// What decides which agent serves a host.
[[nodiscard]] HostRoute routeOf(const api::BareMetalHost& host);

// What a review of a host rested on. While it stays the same, another review would come to the same.
struct ReviewBasis {
  std::uint64_t hostChange = 0;
  std::shared_ptr<const kube::Secret> secret;
  std::uint64_t team = 0;  // generation of the agents that could serve
  ownership::Owner owner = ownership::Owner::nobody;

  friend bool operator==(const ReviewBasis&, const ReviewBasis&) = default;
};

struct AgentService::Served {
  kube::ObjectKey key;
  std::string agent;       // name of the ProvisioningAgent that reads it; "" nobody
  GrantBasis granted;      // as last sent; default: nothing
  bool grantAnew = false;  // the agent may have lost it
  base::MonoTime grantedAt{};
  base::MonoTime rightSince{};                       // before it somebody else may have switched
  std::optional<ReviewBasis> settledOn;              // nothing is left to be done as long as this holds
  std::optional<base::MonoTime> withoutAccessSince;  // its Secret is no good, or there is none
  std::string toldNotCovered;  // agent that the host's annotation names and whose approval does not cover it
  std::string toldNotTrusted;  // what is wrong with what the host says of its BMC's certificate
  wire::Token accessGrant;     // the first grant with the present address and credentials
  std::string readAt;          // address of the BMC whose logs agents tell of, one agent after the other
};

}  // namespace ingot::coordinator::agents
