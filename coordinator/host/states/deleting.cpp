#include "api/bmh/names.hpp"
#include "coordinator/host/credentials.hpp"
#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host::states {
namespace {

base::Task<void> releaseSecrets(Scope& s) {
  const std::array names{s.host.spec.bmc.credentialsName, s.host.spec.preprovisioningNetworkDataName};
  for (const std::string& name : names) {
    if (!name.empty()) co_await letGo(s.host, s.cluster, s.journal, name);
  }
  for (const std::string& name : s.cluster.formerSecrets(s.host)) co_await letGo(s.host, s.cluster, s.journal, name);
}

}  // namespace

base::Task<Step> release(Scope& s) {
  co_await s.cluster.confirm(s.host);  // the removal may have taken its time
  co_await releaseSecrets(s);
  std::erase(s.host.metadata.finalizers, api::finalizer::host);
  co_return Gone{};
}

// The backend forgets the host first.
base::Task<Step> deleting(Scope& s) {
  if (std::ranges::find(s.host.metadata.finalizers, api::finalizer::host) == s.host.metadata.finalizers.end()) {
    co_return Gone{};
  }
  co_await s.cluster.confirm(s.host);
  const Progress progress = co_await s.backend.remove();
  if (const auto* refused = std::get_if<Refused>(&progress)) {
    throw ProvisionerError(ProvisionerError::Code::transient, "failed to delete: " + refused->message);
  }
  if (const auto* work = std::get_if<Working>(&progress)) {
    showObstacle(s, *work);
    co_return Stay{work->after, work->obstacle};
  }
  co_return co_await release(s);
}

}  // namespace ingot::coordinator::host::states
