// Agents that obey the coordinator of another process, where this one has no part in hosts (--controllers): what hosts
// that are moved have to carry is its term, sealed with its key, and not to be had here.
#pragma once

#include "api/agent/provisioning_agent.hpp"
#include "kube/runtime/cache.hpp"

namespace ingot::coordinator::agents {

class Elsewhere {
 public:
  Elsewhere(base::Runtime runtime, kube::Api& api);

  void start(base::TaskGroup& tasks) { agents_.start(tasks); }

  // Some are approved, or it is not known yet whether any are. Told in the log once.
  [[nodiscard]] bool serveHosts();

 private:
  base::Runtime runtime_;
  kube::Cache<api::ProvisioningAgent> agents_;
  bool isTold_ = false;
};

}  // namespace ingot::coordinator::agents
