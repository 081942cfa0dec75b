// Name servers: the ones given, then those of a pool.
#pragma once

#include "api/capm3/v1beta2/network_data.hpp"
#include "cloudinit/document.hpp"
#include "cloudinit/snapshot.hpp"

namespace ingot::cloudinit::network {

inline json::Object dnsService(const std::string& address) { return {{"address", address}, {"type", "dns"}}; }

template <class Family>
[[nodiscard]] json::Array renderServices(const Field& field, const api::capm3::v1beta2::NetworkServices<Family>& wanted,
                                         const Snapshot& snapshot) {
  json::Array out;
  for (const std::string& address : wanted.dns) out.push_back(dnsService(address));
  if (wanted.dnsFromIPPool.empty()) return out;
  const PoolAddress& pool = poolNamed(snapshot, field.member("dnsFromIPPool"), wanted.dnsFromIPPool);
  for (const std::string& address : pool.dnsServers) out.push_back(dnsService(address));
  return out;
}

}  // namespace ingot::cloudinit::network
