// The controller of Metal3MachineTemplates as one thing to start, with what it reads.
#pragma once

#include "coordinator/caches/caches.hpp"
#include "coordinator/machine_template/reconciler.hpp"
#include "kube/runtime/manager.hpp"

namespace ingot::coordinator::machine_template {

struct ControllersWorld {
  kube::Client& client;
  base::Metrics& page;
  Caches& caches;
  std::string watchFilter = {};  // label cluster.x-k8s.io/watch-filter of the templates to look at; "": all
  kube::Tuning tuning = {};
};

class Controllers {
 public:
  Controllers(base::Runtime runtime, ControllersWorld world);

  [[nodiscard]] std::vector<kube::Managed> managed();

 private:
  base::Runtime runtime_;
  Caches& caches_;
  [[nodiscard]] std::vector<kube::ObjectKey> templatesOf(const api::capi::Cluster& cluster) const;
  // The template of the machine if that has a mode and the machine another one.
  [[nodiscard]] std::vector<kube::ObjectKey> aheadOf(const Metal3Machine& machine) const;

  UnseenClusters unseenClusters_;
  kube::Index<Metal3Machine> ofCluster_;
  kube::Index<Metal3Machine> machinesOf_;  // by template
  kube::EventRecorder events_;
  TemplateReconciler reconciler_;
  kube::Controller controller_;
};

}  // namespace ingot::coordinator::machine_template
