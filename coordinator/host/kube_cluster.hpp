// Cluster over the caches and the API.
#pragma once

#include "api/hardwaredata/hardware_data.hpp"
#include "coordinator/host/cluster.hpp"
#include "coordinator/host/secret_versions.hpp"
#include "kube/core/metadata_of.hpp"
#include "kube/core/secret.hpp"
#include "kube/runtime/index.hpp"

namespace ingot::coordinator::host {

// Which HardwareData there is. What one says is in its host's status too, and is read from the API where it is not.
using HardwareDataCache = kube::Cache<kube::MetadataOf<api::HardwareData>>;

// What a pass reads of a Secret.
[[nodiscard]] SecretContent contentOf(const kube::Secret& secret);

// `secrets` holds only those labelled environment.metal3.io=baremetal: any other is read from the API once, and
// labelled.
class KubeCluster final : public Cluster {
 public:
  KubeCluster(kube::Client& client, const kube::Cache<api::BareMetalHost>& hosts, kube::Cache<kube::Secret>& secrets,
              HardwareDataCache& hardware);

  [[nodiscard]] base::Task<std::optional<SecretContent>> secret(const api::BareMetalHost& host, std::string name,
                                                                SecretClaim claim) override;
  [[nodiscard]] base::Task<SecretRelease> releaseSecret(const api::BareMetalHost& host, std::string name) override;
  [[nodiscard]] base::Task<void> releaseSecret(kube::ObjectKey key);
  [[nodiscard]] std::vector<std::string> formerSecrets(const api::BareMetalHost& host) override;
  [[nodiscard]] base::Task<std::optional<api::HardwareDetails>> hardwareData(const api::BareMetalHost& host) override;
  [[nodiscard]] base::Task<void> storeHardwareData(const api::BareMetalHost& host,
                                                   api::HardwareDetails details) override;
  [[nodiscard]] base::Task<void> releaseHardwareData(const api::BareMetalHost& host) override;
  [[nodiscard]] base::Task<void> confirm(const api::BareMetalHost& host) override;

 private:
  kube::Client& client_;
  const kube::Cache<api::BareMetalHost>& hosts_;
  kube::Cache<kube::Secret>& secrets_;
  HardwareDataCache& hardware_;
  kube::Index<kube::Secret, std::string> secretsByOwner_;  // by the uid of an owner
  SecretVersions versions_;
};

}  // namespace ingot::coordinator::host
