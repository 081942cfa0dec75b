// User, network and meta data of a host, from their Secrets, read when the backend asks (spec/baremetalhost.md §8.3).
#pragma once

#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::host {

class ClusterConfigData final : public HostConfigData {
 public:
  explicit ClusterConfigData(Scope& scope) : s_(scope) {}  // lent for one pass

  [[nodiscard]] base::Task<base::Secret> userData() override;
  [[nodiscard]] base::Task<base::Secret> networkData() override;
  [[nodiscard]] base::Task<base::Secret> metaData() override;

 private:
  Scope& s_;
};

// Network data of the ramdisk; empty when none is named, or the Secret has no such key. Throws ProvisionerError when
// the Secret is missing, unless the host is on its way out.
[[nodiscard]] base::Task<base::Secret> preprovisioningNetworkData(Scope& s);

// Keeps the network data of the ramdisk while the host needs it: label and finalizer. A missing Secret is logged only.
[[nodiscard]] base::Task<void> claimPreprovisioningNetworkData(const api::BareMetalHost& host, Cluster& cluster,
                                                               const base::Log& log);

}  // namespace ingot::coordinator::host
