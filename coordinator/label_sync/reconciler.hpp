// One look at one host and the Node that runs on it (spec/capm3.md §19): the Node gets the host's labels of the
// prefixes that the annotation metal3.io/metal3-label-sync-prefixes of its Metal3Cluster names, and loses all others of
// them. Upstream writes each Node once a minute; here nothing is sent without a difference, and a change is seen as it
// comes.
#pragma once

#include "coordinator/caches/caches.hpp"
#include "coordinator/caches/lasting_errors.hpp"
#include "coordinator/label_sync/decision.hpp"
#include "coordinator/workload/cluster_cache.hpp"
#include "coordinator/workload/cluster_turns.hpp"
#include "kube/runtime/controller.hpp"
#include "kube/runtime/event_recorder.hpp"

namespace ingot::coordinator::label_sync {

struct LabelWorld {
  Caches& caches;
  workload::ClusterCache& nodes;
  workload::ClusterTurns& turns;
  kube::EventRecorder& events;
  std::string watchFilter = {};  // of Metal3Clusters: api::capi::passesWatchFilter
};

class LabelReconciler final : public kube::Reconciler {
 public:
  LabelReconciler(base::Runtime runtime, LabelWorld world);

  [[nodiscard]] base::Task<kube::Next> reconcile(kube::ObjectKey host) override;
  // The Metal3Cluster is gone.
  void forget(const kube::ObjectKey& metalCluster) { read_.erase(metalCluster); }

 private:
  using Host = std::shared_ptr<const api::BareMetalHost>;
  // The Node that runs on a host, and what its cluster wants of it.
  struct Place {
    kube::ObjectKey cluster;
    std::string node;
    Prefixes prefixes;
  };
  struct Written {
    Labels wanted;
    base::MonoTime at;
  };

  // An annotation, and what it says; nullopt: it cannot be read, which was told.
  struct Read {
    std::string list;
    std::optional<Prefixes> prefixes;
  };

  // nullopt: nothing is to be done for the host now; whatever changes that is watched.
  [[nodiscard]] std::optional<Place> placeOf(const api::BareMetalHost& host);
  [[nodiscard]] std::optional<Prefixes> prefixesOf(const api::capm3::v1beta2::Metal3Cluster& cluster);
  [[nodiscard]] base::Task<void> patchNode(Host host, const Place& place, json::Value patch);
  // A refusal at once, any other failure once it has lasted (docs/decisions/0045); again in other words only.
  void tellFailure(const api::BareMetalHost& host, const std::string& node, const kube::Error& error);
  // Somebody undid what was written a moment ago: not fought over more than once a minute.
  [[nodiscard]] base::Duration untilNextWrite(const kube::ObjectKey& host, const Labels& wanted) const;

  base::Runtime runtime_;
  LabelWorld world_;
  LastingErrors errors_;  // of writes to Nodes, by host
  std::map<kube::ObjectKey, Written> written_;
  std::map<kube::ObjectKey, Read> read_;  // by Metal3Cluster
};

}  // namespace ingot::coordinator::label_sync
