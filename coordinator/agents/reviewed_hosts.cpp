#include "coordinator/agents/reviewed_hosts.hpp"

#include "api/bmh/annotations.hpp"

namespace ingot::coordinator::agents {
namespace {

// Before registration begins there is nothing to serve; a detached host is nobody's business.
bool wantsService(const api::BareMetalHost& host, std::optional<api::ProvisioningState> state) {
  using enum api::ProvisioningState;
  return host.hasBmcDetails() && state != none && state != unmanaged && state != deleting &&
         !isAnnotated(host, api::annotation::detached);
}

}  // namespace

ReviewedHosts::ReviewedHosts(kube::Cache<api::BareMetalHost>& hosts) {
  for (const auto& host : hosts.all()) note(*host);
  subscription_ = hosts.listen([this](const auto& change) {
    if (change.after)
      note(*change.after);
    else
      hosts_.erase(change.key);
  });
}

void ReviewedHosts::note(const api::BareMetalHost& host) {
  const auto key = host.metadata.key();
  const auto state = api::parseProvisioningState(host.status.provisioning.state);
  if (!wantsService(host, state)) {
    hosts_.erase(key);
    return;
  }
  hosts_[key] = {.change = ++changes_,
                 .uid = host.metadata.uid,
                 .credentials = {key.namespace_, host.spec.bmc.credentialsName},
                 .nodeId = host.status.provisioning.ID,
                 .state = state,
                 .beingDeleted = host.metadata.beingDeleted(),
                 .paused = api::isHostPaused(host)};
}

const ReviewedHost* ReviewedHosts::find(const kube::ObjectKey& key) const {
  const auto found = hosts_.find(key);
  return found == hosts_.end() ? nullptr : &found->second;
}

const ReviewedHost* ReviewedHosts::find(const kube::ObjectKey& key, const std::string& uid) const {
  const auto* host = find(key);
  return host != nullptr && host->uid == uid ? host : nullptr;
}

}  // namespace ingot::coordinator::agents
