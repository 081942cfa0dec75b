#include "coordinator/host/secret_users.hpp"

#include <algorithm>
#include <iterator>

namespace ingot::coordinator::host {

std::vector<kube::ObjectKey> secretsNamedBy(const api::BareMetalHost& host) {
  const std::string& namespace_ = host.metadata.namespace_;
  std::vector<kube::ObjectKey> keys;
  const auto add = [&](const std::string& name) {
    if (!name.empty()) keys.push_back({namespace_, name});
  };
  add(host.spec.bmc.credentialsName);
  add(host.spec.preprovisioningNetworkDataName);
  for (const auto* reference : {&host.spec.userData, &host.spec.metaData, &host.spec.networkData}) {
    if (!*reference) continue;
    const bool here = (*reference)->namespace_.empty() || (*reference)->namespace_ == namespace_;
    if (here) add((*reference)->name);
  }
  if (host.spec.image) add(host.spec.image->ociAuthSecretName);
  return keys;
}

std::set<std::string> secretsKept(const api::BareMetalHost& host) {
  std::set<std::string> names{host.spec.bmc.credentialsName, host.spec.preprovisioningNetworkDataName};
  if (const auto& good = host.status.goodCredentials.credentials) names.insert(good->name);
  names.erase("");
  return names;
}

std::vector<std::string> noLongerKept(const api::BareMetalHost& before, const api::BareMetalHost& after) {
  const auto kept = secretsKept(before), still = secretsKept(after);
  std::vector<std::string> gone;
  std::ranges::set_difference(kept, still, std::back_inserter(gone));
  return gone;
}

}  // namespace ingot::coordinator::host
