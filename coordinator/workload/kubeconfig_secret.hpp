// The Secret <cluster>-kubeconfig of one Cluster, as it was last read.
//
// It is read when a connection is opened, each minute while one stands, and at once when the cluster has refused the
// credentials. A cache of all Secrets that carry cluster.x-k8s.io/cluster-name would know of a change a moment earlier,
// and hold every CA key and all bootstrap data of all clusters in memory for it. As for Metal3's managers, and other
// than for Cluster API core, the Secret need not carry that label.
#pragma once

#include "coordinator/workload/unknown.hpp"
#include "kube/client/api.hpp"
#include "kube/client/config.hpp"

#include <expected>

namespace ingot::coordinator::workload {

class KubeconfigSecret {
 public:
  // `management` outlives this.
  KubeconfigSecret(kube::Api& management, const kube::ObjectKey& cluster, kube::Environment environment);

  // Reads it. True when it says something else than at the last time. Throws kube::Error when the API does not answer;
  // what is known then stays so.
  [[nodiscard]] base::Task<bool> look();

  // Of the last look.
  [[nodiscard]] const std::expected<kube::ClusterConfig, Unknown>& config() const { return config_; }

 private:
  [[nodiscard]] bool take(std::optional<json::Value> secret);
  [[nodiscard]] bool refuse(Unknown::Reason reason, std::string text);

  kube::Api& management_;
  kube::ObjectKey key_;
  kube::Environment environment_;
  std::string resourceVersion_;  // what it says is not looked at again while this is the same
  base::Secret value_;
  std::expected<kube::ClusterConfig, Unknown> config_;
};

}  // namespace ingot::coordinator::workload
