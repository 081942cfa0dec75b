// The Secrets side of the host controller: which hosts a Secret wakes, and when it is let go.
#include "api/bmh/names.hpp"
#include "coordinator/host/controller.hpp"
#include "coordinator/host/credentials.hpp"
#include "coordinator/host/intent.hpp"
#include "kube/runtime/finalizer.hpp"

namespace ingot::coordinator::host {

std::vector<kube::ObjectKey> owningHosts(const kube::Secret& secret) {
  std::vector<kube::ObjectKey> keys;
  for (const auto& owner : secret.metadata.ownerReferences) {
    if (owner.kind == api::BareMetalHost::info.kind && owner.apiVersion == api::BareMetalHost::info.apiVersion()) {
      keys.push_back({secret.metadata.namespace_, owner.name});
    }
  }
  return keys;
}

bool mayWaitForSecret(const api::BareMetalHost& host) {
  return host.status.operationalStatus == api::operational_status::error;
}

void HostController::secretChanged(const kube::Cache<kube::Secret>::Change& change) {
  if (change.before && change.after && !contentChanged(*change.before, *change.after)) return;
  if (change.backlog) return;  // its hosts are looked at anyway
  const auto owners = owningHosts(change.after ? *change.after : *change.before);
  const bool fresh = !change.before;  // with an owner already: that one has just labelled it, and knows what it says
  for (const auto& key : world_.secretUsers.find(change.key)) {
    if (fresh && std::ranges::find(owners, key) != owners.end()) continue;
    if (const auto host = world_.hosts.find(key); host && mayWaitForSecret(*host)) loop_.queue().add(key);
  }
  if (fresh) return;
  for (const auto& key : owners) loop_.queue().add(key);
}

void HostController::noteFormerSecrets(const kube::Cache<api::BareMetalHost>::Change& change) {
  if (!change.after) noteLeftBehind(*change.before);
  if (!change.after) formerSecrets_.erase(change.key);
  if (!change.before || !change.after) return;
  for (std::string& name : noLongerKept(*change.before, *change.after))
    formerSecrets_[change.key].insert(std::move(name));
}

// Named by some host that can be read, or the credentials that worked last for one of these.
bool HostController::kept(const kube::ObjectKey& secret, const std::vector<kube::ObjectKey>& owners) const {
  if (!world_.secretUsers.find(secret).empty()) return true;
  return std::ranges::any_of(owners, [&](const kube::ObjectKey& owner) {
    const auto host = world_.hosts.find(owner);
    return host && secretsKept(*host).contains(secret.name);
  });
}

// By a host that is there and cannot be read: it counts as a user of every Secret of its namespace.
bool HostController::mayBeNamedUnseen(const std::string& namespace_) const {
  return world_.hosts.anyUnreadableIn(namespace_);
}

void HostController::noteLeftBehind(const api::BareMetalHost& host) {
  const std::string& namespace_ = host.metadata.namespace_;
  if (!mayBeNamedUnseen(namespace_)) return;
  for (const std::string& name : secretsKept(host)) leftBehind_.note({namespace_, name});
  for (const std::string& name : cluster_.formerSecrets(host)) leftBehind_.note({namespace_, name});
}

base::Task<void> HostController::releaseFormerSecrets(const api::BareMetalHost& host, Journal& journal) {
  if (beingDeleted(host)) co_return;  // its last step lets all of them go
  const kube::ObjectKey key = host.metadata.key();
  const auto found = formerSecrets_.find(key);
  if (found == formerSecrets_.end()) co_return;
  const std::set<std::string> names = found->second;
  for (const std::string& name : names) {
    if (mayBeNamedUnseen(key.namespace_)) continue;  // a later pass sees
    if (!kept({key.namespace_, name}, {key})) co_await letGo(host, cluster_, journal, name);
    formerSecrets_[key].erase(name);
  }
  if (formerSecrets_[key].empty()) formerSecrets_.erase(key);
}

// A host may have been given another Secret while nobody watched.
void HostController::noteSecretsOfNobody() {
  for (const auto& secret : world_.secrets.all()) {
    const kube::ObjectKey key = secret->metadata.key();
    const bool ours = kube::hasFinalizer(secret->metadata, api::finalizer::secret);
    if (ours && !kept(key, owningHosts(*secret))) leftBehind_.note(key);
  }
}

base::Task<void> HostController::releaseUnneeded(kube::ObjectKey key) {
  const auto secret = world_.secrets.find(key);
  if (!kept(key, secret ? owningHosts(*secret) : std::vector<kube::ObjectKey>{})) co_await cluster_.releaseSecret(key);
}

base::Task<void> HostController::workBesideReleases() {
  base::TaskGroup releases(runtime_.executor, runtime_.log);
  releases.spawn("release of Secrets", leftBehind_.run());
  std::exception_ptr ended;
  try {
    co_await loop_.run();
  } catch (...) {
    ended = std::current_exception();
  }
  co_await releases.close();
  if (ended) std::rethrow_exception(ended);
}

}  // namespace ingot::coordinator::host
