#include "coordinator/agents/bmc_access.hpp"

#include "api/bmh/names.hpp"
#include "bmc/model/address.hpp"
#include "coordinator/host/credentials.hpp"
#include "coordinator/host/kube_cluster.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr std::int64_t ipmiFactor = 5, ipmiDivisor = 2;  // five minutes where Redfish has two
// 30 s where Redfish has five, and no longer than that where it has more.
constexpr std::int64_t ipmiPowerFactor = 6, longestIpmiPowerMs = 30'000;
constexpr std::size_t longestAddress = 4096;  // it goes in one message with the rest

std::optional<bmc::Address> parsed(const std::string& address) {
  try {
    return bmc::parseAddress(address);
  } catch (const bmc::AddressError&) {  // the host controller tells the user
    return std::nullopt;
  }
}

}  // namespace

std::optional<BmcAccess> accessOf(const api::BareMetalHost& host, const kube::Secret& secret) {
  const auto content = host::contentOf(secret);
  const auto checked = host::checkCredentials(content);
  const auto* credentials = std::get_if<host::Credentials>(&checked);
  if (credentials == nullptr || host.spec.bmc.address.size() > longestAddress) return std::nullopt;
  auto trust = bmcTrust(host, content);
  if (std::holds_alternative<std::string>(trust)) return std::nullopt;
  return BmcAccess{.address = host.spec.bmc.address,
                   .username = credentials->username,
                   .password = credentials->password,
                   .verifyCertificate = !host.spec.bmc.disableCertificateVerification,
                   .trust = std::get<BmcTrust>(std::move(trust))};
}

std::string trustProblem(const api::BareMetalHost& host, const kube::Secret& secret) {
  auto trust = bmcTrust(host, host::contentOf(secret));
  auto* problem = std::get_if<std::string>(&trust);
  return problem == nullptr ? std::string()
                            : fmt::format("no agent serves this host before this is right: {}", *problem);
}

std::optional<bmc::Scheme> schemeOf(const std::string& address) {
  const auto known = parsed(address);
  return known ? std::optional(known->scheme) : std::nullopt;
}

bool speaksIpmi(const std::string& address) {
  const auto known = parsed(address);
  return known && known->traits().protocol == bmc::Protocol::ipmi;
}

std::int64_t powerIntervalBehind(const std::string& address, std::int64_t milliseconds) {
  if (!speaksIpmi(address)) return milliseconds;
  return std::min(milliseconds * ipmiPowerFactor, std::max(milliseconds, longestIpmiPowerMs));
}

std::int64_t intervalBehind(const std::string& address, std::int64_t milliseconds) {
  return speaksIpmi(address) ? milliseconds * ipmiFactor / ipmiDivisor : milliseconds;
}

HostRoute routeOf(const api::BareMetalHost& host) {
  const auto* wanted = host.metadata.annotation(std::string(api::annotation::agent));
  const auto address = parsed(host.spec.bmc.address);
  return {host.metadata.uid, address ? address->host : std::string(), wanted != nullptr ? *wanted : "",
          host.metadata.labels};
}

}  // namespace ingot::coordinator::agents
