// One open connection to one workload cluster: a client, and the watch of its Nodes. It never outlives the credentials
// that it was made with, and knows nothing of Secrets and of trying again.
#pragma once

#include "coordinator/workload/node_watch.hpp"
#include "coordinator/workload/paced_transport.hpp"
#include "coordinator/workload/self_hosted.hpp"
#include "coordinator/workload/server_version.hpp"
#include "coordinator/workload/shares.hpp"
#include "kube/client/client.hpp"
#include "net/limited_transport.hpp"

#include <memory>
#include <optional>
#include <string>

namespace ingot::coordinator::workload {

class Link {
 public:
  // Sends nothing yet. Throws Lost when no client can be made of `config`. `options` outlives this. `namespace_`: of
  // the Cluster, for its part of `shares`.
  Link(const base::Runtime& runtime, net::HttpTransport& transport, kube::ClusterConfig config,
       const ClusterCacheOptions& options, const Shares& shares, const std::string& namespace_, NodeWatch::Told told);
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  // Asks for the version. Throws Lost when the server does not answer, or does not accept our credentials.
  [[nodiscard]] base::Task<void> ping(base::Duration deadline);

  // Whether the cluster has this very pod. False where it does not say.
  [[nodiscard]] base::Task<bool> holds(OwnPod pod);

  [[nodiscard]] NodeWatch& watch() { return watch_; }
  [[nodiscard]] const NodeWatch& watch() const { return watch_; }
  [[nodiscard]] const std::optional<ServerVersion>& version() const { return version_; }
  [[nodiscard]] const std::string& server() const { return config_.server; }

  // As those of ClusterCache.
  [[nodiscard]] base::Task<kube::Node> patchNode(std::string node, kube::PatchType type, json::Value patch);
  [[nodiscard]] base::Task<bool> deleteNode(std::string node, std::string uid);
  [[nodiscard]] base::Task<bool> isDrained(std::string node);

 private:
  // The whole of `call`, the wait for our allowance included, takes `deadline` at most.
  template <class T>
  [[nodiscard]] base::Task<T> inTime(std::string_view doing, base::Duration deadline, base::Task<T> call);
  [[nodiscard]] kube::Error afterCall(const kube::Error& error, std::string_view doing);

  base::Runtime runtime_;  // without a log: what a client logs by itself holds words of the server's
  kube::ClusterConfig config_;
  base::Duration deadline_;
  std::function<void()> refused_;
  std::shared_ptr<const bool> isThere_ = std::make_shared<const bool>(true);  // for what may outlast this
  net::LimitedTransport limited_;
  PacedTransport transport_;
  std::unique_ptr<kube::Client> client_;
  NodeWatch watch_;
  std::optional<ServerVersion> version_;
};

}  // namespace ingot::coordinator::workload
