// How the BMC of a host is reached, as the host and its Secret say it. Pure.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "bmc/model/address.hpp"
#include "coordinator/agents/bmc_trust.hpp"
#include "coordinator/agents/routing.hpp"
#include "kube/core/secret.hpp"

namespace ingot::coordinator::agents {

struct BmcAccess {
  std::string address, username;
  base::Secret password;
  bool verifyCertificate = true;
  BmcTrust trust = {};

  friend bool operator==(const BmcAccess&, const BmcAccess&) = default;
};

// nullopt: the Secret is no good (the host controller tells), or what the host says of its certificate is not
// (see trustProblem).
[[nodiscard]] std::optional<BmcAccess> accessOf(const api::BareMetalHost& host, const kube::Secret& secret);

// What is wrong with what the host says of its BMC's certificate; "": nothing.
[[nodiscard]] std::string trustProblem(const api::BareMetalHost& host, const kube::Secret& secret);

// nullopt: the address is none.
[[nodiscard]] std::optional<bmc::Scheme> schemeOf(const std::string& address);
// By its scheme; false for an address that is none.
[[nodiscard]] bool speaksIpmi(const std::string& address);

// Intervals as they are behind this address: longer with IPMI, where each reading is a process and a login, and the
// sensors take seconds (spec/bmc.md §19.2).
[[nodiscard]] std::int64_t powerIntervalBehind(const std::string& address, std::int64_t milliseconds);
[[nodiscard]] std::int64_t intervalBehind(const std::string& address, std::int64_t milliseconds);

// What decides which agent serves a host.
[[nodiscard]] HostRoute routeOf(const api::BareMetalHost& host);

}  // namespace ingot::coordinator::agents
