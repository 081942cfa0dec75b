#include "coordinator/ipam/membership.hpp"

#include "api/capm3/names.hpp"
#include "api/ipam/names.hpp"
#include "kube/core/object_reference.hpp"

#include <algorithm>

namespace ingot::coordinator::ipam {
namespace {

constexpr std::string_view kProviderLabel = "cluster.x-k8s.io/provider";

std::string_view groupOf(std::string_view apiVersion) { return apiVersion.substr(0, apiVersion.find('/')); }

bool namesIt(const kube::OwnerReference& owner, const api::capi::Cluster& cluster) {
  const auto& kind = api::capi::Cluster::info;
  return owner.kind == kind.kind && owner.name == cluster.metadata.name && groupOf(owner.apiVersion) == kind.group;
}

}  // namespace

std::optional<kube::ObjectKey> clusterOf(const api::ipam::IPPool& pool) {
  if (!pool.spec.clusterName || pool.spec.clusterName->empty()) return std::nullopt;
  return kube::ObjectKey{pool.metadata.namespace_, *pool.spec.clusterName};
}

Gate gateOf(const api::ipam::IPPool& pool, const api::capi::Cluster* cluster) {
  if (api::capi::isPaused(pool.metadata) || (cluster != nullptr && cluster->paused())) return Gate::paused;
  const bool waits = clusterOf(pool) && cluster == nullptr && !pool.metadata.beingDeleted();
  return waits ? Gate::waitsForCluster : Gate::open;
}

void joinCluster(api::ipam::IPPool& pool, const api::capi::Cluster* cluster) {
  const auto name = clusterOf(pool);
  if (!name) return;
  pool.metadata.labels[std::string(api::capm3::label::clusterName)] = name->name;
  pool.metadata.labels[std::string(kProviderLabel)] = api::ipam::kProviderLabelValue;
  if (cluster == nullptr) return;
  auto& owners = pool.metadata.ownerReferences;
  if (std::ranges::any_of(owners, [&](const auto& owner) { return namesIt(owner, *cluster); })) return;
  kube::OwnerReference owner = kube::ownerReferenceTo(*cluster, false);
  owner.controller = false;
  owners.push_back(std::move(owner));
}

}  // namespace ingot::coordinator::ipam
