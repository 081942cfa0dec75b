// Takes off hosts what keeps them off for a Metal3Remediation that is gone: nobody else does, and such a host would
// never be on again. A remediation goes without its own clearing up when it is deleted by force, and has another uid
// when it was moved to another management cluster or restored from a backup.
#pragma once

#include "api/capm3/v1beta2/remediation.hpp"
#include "coordinator/machine/host_work.hpp"
#include "coordinator/remediation/surroundings.hpp"
#include "kube/runtime/controller.hpp"
#include "kube/runtime/index.hpp"

namespace ingot::coordinator::remediation {

struct StrayHoldsWorld {
  kube::Client& client;
  kube::Cache<Metal3Remediation>& remediations;
  kube::Cache<Machine>& machines;
  kube::Cache<Metal3Machine>& metalMachines;
  const kube::Index<Metal3Remediation, std::string>& byUid;
  machine::HostWork& hosts;
};

class StrayHolds final : public kube::Reconciler {
 public:
  StrayHolds(base::Runtime runtime, StrayHoldsWorld world) : runtime_(std::move(runtime)), world_(world) {}

  [[nodiscard]] base::Task<kube::Next> reconcile(kube::ObjectKey host) override;

  // The uids of those that keep this host off and are gone, or whose machine does not use it: as the caches have it.
  [[nodiscard]] std::vector<std::string> strays(const api::BareMetalHost& host) const;

 private:
  // The same as the API has it. One whose Machine cannot be read is none.
  [[nodiscard]] base::Task<std::vector<std::string>> confirmed(std::vector<std::string> strays, BareMetalHost host);

  base::Runtime runtime_;
  StrayHoldsWorld world_;
};

}  // namespace ingot::coordinator::remediation
