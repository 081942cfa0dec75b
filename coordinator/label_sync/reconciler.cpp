#include "coordinator/label_sync/reconciler.hpp"

#include "api/bmh/annotations.hpp"
#include "api/capi/pause.hpp"
#include "api/capi/watch_filter.hpp"
#include "base/error.hpp"
#include "coordinator/machine/host_pool.hpp"
#include "coordinator/machine/host_work.hpp"
#include "coordinator/machine/preconditions.hpp"
#include "kube/core/object_reference.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::label_sync {
namespace {

using api::BareMetalHost;
using api::capm3::v1beta2::Metal3Cluster;

constexpr base::Duration kInterval = std::chrono::seconds(60);

bool rests(const auto& object) { return api::capi::isPaused(object.metadata); }

json::Value patchOf(const Changes& changes, const kube::Node& node) {
  json::Object labels;
  for (const auto& [key, value] : changes) labels[key] = value ? json::Value(*value) : json::Value(nullptr);
  return json::Object{
      {"metadata", json::Object{{"resourceVersion", node.metadata.resourceVersion}, {"labels", std::move(labels)}}}};
}

}  // namespace

LabelReconciler::LabelReconciler(base::Runtime runtime, LabelWorld world)
    : runtime_(std::move(runtime)), world_(std::move(world)) {}

base::Task<kube::Next> LabelReconciler::reconcile(kube::ObjectKey key) {
  const auto host = world_.caches.hosts.find(key);
  const auto place = host ? placeOf(*host) : std::nullopt;
  if (!place) {
    written_.erase(key);
    errors_.over(key);
    co_return kube::Next::onChange();
  }
  const auto nodes = world_.nodes.nodes(place->cluster);
  // Told of when they are known; a cluster that has no connection at all, for there are too many, is to ask again.
  const bool mayBeUntold = !nodes && nodes.error().reason == workload::Unknown::Reason::failing;
  if (!nodes) co_return mayBeUntold ? kube::Next::after(kInterval) : kube::Next::onChange();
  const auto node = (*nodes)->find(place->node);
  if (!node) co_return kube::Next::onChange();
  const Labels wanted = under(place->prefixes, host->metadata.labels);
  const Changes changes = changesFor(place->prefixes, wanted, node->metadata.labels);
  if (changes.empty()) {
    errors_.over(key);
    co_return kube::Next::onChange();
  }
  if (const auto wait = untilNextWrite(key, wanted); wait > base::Duration::zero()) co_return kube::Next::after(wait);
  const auto turn = world_.turns.take(place->cluster, key);
  if (!turn) co_return kube::Next::after(kInterval);  // told of sooner
  co_await patchNode(host, *place, patchOf(changes, *node));
  written_.insert_or_assign(key, Written{wanted, runtime_.clock.now()});
  runtime_.log.info("labels of a host are on its Node", {{"host", key.text()}, {"node", place->node}});
  co_return kube::Next::onChange();
}

base::Task<void> LabelReconciler::patchNode(Host host, const Place& place, json::Value patch) {
  try {
    static_cast<void>(co_await world_.nodes.patchNode(place.cluster, place.node, std::move(patch)));
    errors_.over(host->metadata.key());
  } catch (const kube::Error& error) {
    if (isFailure(error)) tellFailure(*host, place.node, error);
    throw;
  }
}

void LabelReconciler::tellFailure(const BareMetalHost& host, const std::string& node, const kube::Error& error) {
  const auto wait = machine::isLasting(error) ? base::Duration{} : kErrorWait;
  if (const auto text = errors_.tellNews(host.metadata, error.what(), runtime_.clock.now(), wait))
    world_.events.warning(kube::referenceTo(host), "LabelsRefused",
                          fmt::format("Node {} does not get the labels of its host: {}", node, *text));
}

std::optional<LabelReconciler::Place> LabelReconciler::placeOf(const BareMetalHost& host) {
  const auto consumer = machine::consumerOf(host);
  if (!consumer || api::isHostPaused(host)) return std::nullopt;
  const auto metal = world_.caches.metalMachines.find(*consumer);
  const auto ownerKey = metal ? machine::ownerOf(metal->metadata) : std::nullopt;
  const auto owner = ownerKey ? world_.caches.machines.find(*ownerKey) : nullptr;
  if (!owner || owner->status.nodeRef.name.empty()) return std::nullopt;
  const auto clusterKey = machine::clusterOf(*owner);
  const auto cluster = clusterKey ? world_.caches.clusters.find(*clusterKey) : nullptr;
  const auto metalKey = cluster ? machine::metalClusterOf(*cluster) : std::nullopt;
  const auto metalCluster = metalKey ? world_.caches.metalClusters.find(*metalKey) : nullptr;
  if (!metalCluster || cluster->paused() || rests(*cluster) || rests(*metalCluster)) return std::nullopt;
  if (!api::capi::passesWatchFilter(metalCluster->metadata, world_.watchFilter)) return std::nullopt;
  auto prefixes = prefixesOf(*metalCluster);
  if (!prefixes || prefixes->empty()) return std::nullopt;
  return Place{*clusterKey, owner->status.nodeRef.name, std::move(*prefixes)};
}

std::optional<Prefixes> LabelReconciler::prefixesOf(const Metal3Cluster& cluster) {
  const std::string* list = cluster.metadata.annotation(std::string(api::capm3::annotation::labelSyncPrefixes));
  if (list == nullptr) {
    forget(cluster.metadata.key());
    return std::nullopt;
  }
  const auto known = read_.find(cluster.metadata.key());
  if (known != read_.end() && known->second.list == *list) return known->second.prefixes;
  Read read{.list = *list, .prefixes = std::nullopt};
  try {
    read.prefixes = prefixesIn(*list);
  } catch (const base::InvalidInput& problem) {
    world_.events.warning(kube::referenceTo(cluster), "InvalidLabelSyncPrefixes", problem.what());
  }
  return read_.insert_or_assign(cluster.metadata.key(), std::move(read)).first->second.prefixes;
}

base::Duration LabelReconciler::untilNextWrite(const kube::ObjectKey& host, const Labels& wanted) const {
  const auto last = written_.find(host);
  if (last == written_.end() || last->second.wanted != wanted) return {};
  return std::max(base::Duration::zero(), last->second.at + kInterval - runtime_.clock.now());
}

}  // namespace ingot::coordinator::label_sync
