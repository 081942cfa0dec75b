// What keeps hosts without a machine safe in a move, as one thing to start, with what it reads.
#pragma once

#include "api/bmh/carried_term.hpp"
#include "coordinator/caches/caches.hpp"
#include "coordinator/host_move/namespaces.hpp"
#include "coordinator/host_move/waiting_hosts.hpp"
#include "coordinator/machine/host_work.hpp"
#include "kube/runtime/controller.hpp"
#include "kube/runtime/manager.hpp"

#include <map>
#include <string>

namespace ingot::coordinator::host_move {

class MoveReconciler final : public kube::Reconciler {
 public:
  // All outlive it.
  struct World {
    kube::Client& client;
    Caches& caches;
    const Namespaces& namespaces;
    kube::EventRecorder& events;
  };
  MoveReconciler(base::Runtime runtime, World world, api::Carrying carrying);

  [[nodiscard]] base::Task<kube::Next> reconcile(kube::ObjectKey host) override;

 private:
  [[nodiscard]] base::Task<bool> write(kube::ObjectKey key, kube::Cache<BareMetalHost>::Snapshot host);
  [[nodiscard]] bool areClustersKnown() const;
  [[nodiscard]] bool isClusterApiMissing() const;
  [[nodiscard]] Clusters clustersOf(const BareMetalHost& host) const;
  void noteWhoWakes(const BareMetalHost& host);
  [[nodiscard]] bool isToWake(const BareMetalHost& host) const;

  Caches& caches_;
  const Namespaces& namespaces_;
  api::Carrying carrying_;
  machine::HostWork hosts_;
  WaitingHosts waiting_;
  // Uids of hosts whose pause, which is ours, ends because a Cluster has worked: also once that Cluster is gone, which
  // would else be read as a move.
  std::map<kube::ObjectKey, std::string> toWake_;
};

struct ControllersWorld {
  kube::Client& client;
  base::Metrics& page;
  Caches& caches;
  api::Carrying carrying = {};  // what a host that rests carries
};

class Controllers {
 public:
  Controllers(base::Runtime runtime, ControllersWorld world);

  [[nodiscard]] std::vector<kube::Managed> managed();

 private:
  base::Runtime runtime_;
  Caches& caches_;
  Namespaces namespaces_;
  kube::EventRecorder events_;
  MoveReconciler reconciler_;
  kube::Controller controller_;
};

}  // namespace ingot::coordinator::host_move
