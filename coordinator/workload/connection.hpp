// One workload cluster for as long as its Cluster is there: from its kubeconfig Secret to an open link, and from there
// back when the link is lost, the credentials are refused or the Secret says something else.
#pragma once

#include "base/sync.hpp"
#include "coordinator/workload/health_metrics.hpp"
#include "coordinator/workload/kubeconfig_secret.hpp"
#include "coordinator/workload/link.hpp"

namespace ingot::coordinator::workload {

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  // Told with nullptr when the answer of nodes() has another reason than before.
  using Told = std::function<void(const kube::ObjectKey& cluster, const kube::Node* node)>;

  // All but `cluster` outlive this.
  Connection(base::Runtime runtime, kube::Api& management, net::HttpTransport& transport,
             const ClusterCacheOptions& options, const Shares& shares, kube::ObjectKey cluster, Told told);

  [[nodiscard]] std::expected<const NodeView*, Unknown> nodes() const;
  // nullptr while nodes() is unknown. Held by who makes a call, so that it may outlast the connection.
  [[nodiscard]] std::shared_ptr<Link> link() const { return synced() ? link_ : nullptr; }
  [[nodiscard]] const Unknown& why() const { return unknown_; }

  // Until cancelled or ended. The task holds the connection.
  [[nodiscard]] static base::Task<void> run(std::shared_ptr<Connection> self);
  // Stops at the next wait and tells nothing any more.
  void end();

 private:
  class Rotated;

  [[nodiscard]] bool synced() const { return link_ && link_->watch().synced(); }
  [[nodiscard]] base::Task<void> tryForEver();
  [[nodiscard]] base::Task<void> attempt();
  [[nodiscard]] std::shared_ptr<Link> linkTo(kube::ClusterConfig config);
  [[nodiscard]] base::Task<void> open();
  [[nodiscard]] NodeWatch::Told listening();
  [[nodiscard]] base::Task<void> supervise();
  [[nodiscard]] base::Task<void> probe();
  [[nodiscard]] base::Task<void> lookAgain();
  void probeNow();
  void becameKnown();
  void becomeUnknown(Unknown why);
  [[nodiscard]] base::Task<std::optional<Lost>> ping(base::Duration deadline);
  void tell(const kube::Node* node) const;
  [[nodiscard]] base::Duration jittered(base::Duration interval);

  base::Runtime runtime_;
  net::HttpTransport& transport_;
  const ClusterCacheOptions& options_;
  Shares shares_;
  kube::ObjectKey cluster_;
  Told told_;
  KubeconfigSecret secret_;
  std::shared_ptr<Link> link_;
  Unknown unknown_;  // while there is no link that is synced
  HealthMetrics metrics_;
  base::AbortSource abort_;
  base::Notifier wake_;
  std::optional<base::MonoTime> syncedAt_;  // in this attempt
  base::MonoTime probeAt_{}, lookAt_{};
  unsigned probesFailed_ = 0;  // in a row
  bool ended_ = false;
};

}  // namespace ingot::coordinator::workload
