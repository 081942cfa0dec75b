// Takes off hosts what keeps them off for a Metal3Remediation that is gone: nobody else does, and such a host would
// never be on again. A remediation goes without its own clearing up when it is deleted by force, and has another uid
// when it was moved to another management cluster or restored from a backup.
#pragma once

#include "api/capm3/v1beta2/remediation.hpp"
#include "coordinator/machine/host_work.hpp"
#include "kube/runtime/controller.hpp"
#include "kube/runtime/index.hpp"

namespace ingot::coordinator::remediation {

using api::capm3::v1beta2::Metal3Remediation;

struct StrayHoldsWorld {
  kube::Client& client;
  kube::Cache<Metal3Remediation>& remediations;
  const kube::Index<Metal3Remediation, std::string>& byUid;
  machine::HostWork& hosts;
};

class StrayHolds final : public kube::Reconciler {
 public:
  StrayHolds(base::Runtime runtime, StrayHoldsWorld world) : runtime_(std::move(runtime)), world_(world) {}

  [[nodiscard]] base::Task<kube::Next> reconcile(kube::ObjectKey host) override;

  // The uids of those that keep this host off and are in no cache.
  [[nodiscard]] std::vector<std::string> unknownHolders(const api::BareMetalHost& host) const;

 private:
  base::Runtime runtime_;
  StrayHoldsWorld world_;
};

}  // namespace ingot::coordinator::remediation
