// What proves to agents that a BMC is the one that is meant, where it is said of the single host
// (docs/decisions/0025).
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "coordinator/host/cluster.hpp"

#include <string>
#include <variant>

namespace ingot::coordinator::agents {

constexpr std::string_view caKey = "ca.crt";  // of the Secret with the credentials

struct BmcTrust {
  std::string ca;          // PEM; "": the agent's own
  std::string pinnedKeys;  // as net::ClientTls
  bool legacyTls = false;

  friend bool operator==(const BmcTrust&, const BmcTrust&) = default;
};

// The text says what is wrong, for people: then no agent gets the password. Pure.
[[nodiscard]] std::variant<BmcTrust, std::string> bmcTrust(const api::BareMetalHost& host,
                                                           const host::SecretContent& secret);

}  // namespace ingot::coordinator::agents
