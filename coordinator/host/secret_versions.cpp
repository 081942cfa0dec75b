#include "coordinator/host/secret_versions.hpp"

namespace ingot::coordinator::host {

bool contentChanged(const kube::Secret& before, const kube::Secret& after) {
  return before.metadata.uid != after.metadata.uid || before.data != after.data || before.type != after.type;
}

SecretVersions::SecretVersions(kube::Cache<kube::Secret>& secrets)
    : subscription_(secrets.listen([this](const auto& change) { follow(change); })) {}

std::vector<std::string> SecretVersions::sameAs(const kube::ObjectKey& secret, const std::string& version) const {
  const auto found = known_.find(secret);
  if (found == known_.end() || found->second.now != version) return {};
  return found->second.before;
}

void SecretVersions::follow(const kube::Cache<kube::Secret>::Change& change) {
  if (!change.before || !change.after || contentChanged(*change.before, *change.after)) {
    known_.erase(change.key);
    return;
  }
  Known& known = known_[change.key];
  known.before.push_back(change.before->metadata.resourceVersion);
  if (known.before.size() > kMost) known.before.erase(known.before.begin());
  known.now = change.after->metadata.resourceVersion;
}

}  // namespace ingot::coordinator::host
