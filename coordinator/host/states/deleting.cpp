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

// The backend forgets the host first; the finalizer, whose removal lets the object go, comes off last.
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
    co_return Stay{work->after};
  }

  co_await s.cluster.confirm(s.host);  // the removal may have taken its time
  co_await releaseSecrets(s);
  std::erase(s.host.metadata.finalizers, api::finalizer::host);
  co_return Gone{};
}

}  // namespace ingot::coordinator::host::states
