// One open connection to one workload cluster: a client, the watch of its Nodes, and what both have brought. It never
// outlives the credentials that it was made with, and knows nothing of Secrets and of trying again.
#pragma once

#include "coordinator/workload/failure.hpp"
#include "coordinator/workload/node_view.hpp"
#include "coordinator/workload/options.hpp"
#include "coordinator/workload/server_version.hpp"
#include "kube/client/client.hpp"
#include "kube/runtime/watcher.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ingot::coordinator::workload {

class Link final : public kube::WatchSink {
 public:
  // Who is told, on the loop thread.
  struct Told {
    std::function<void()> synced;                    // the first list is in
    std::function<void(const kube::Node&)> changed;  // as ClusterCache::onChange, after the first list
    std::function<void()> troubled;                  // checkUse() may throw now
    std::function<void()> refused;                   // a call was answered 401: ping() tells whether all will be
  };

  // Sends nothing yet. Throws Lost when no client can be made of `config`. `options` outlives this.
  Link(base::Runtime runtime, net::HttpTransport& transport, kube::ClusterConfig config,
       const ClusterCacheOptions& options, Told told);

  // Asks for the version. Throws Lost when the server does not answer, or does not accept our credentials.
  [[nodiscard]] base::Task<void> ping(base::Duration deadline);
  // Until cancelled.
  [[nodiscard]] base::Task<void> watch() { return watcher_.run(); }
  // Throws Lost when the watch is of no use: its first list failed or takes too long, the cluster has more Nodes than
  // there is room for, or nothing was heard for too long.
  void checkUse() const;

  [[nodiscard]] bool synced() const { return synced_; }
  [[nodiscard]] const NodeView& nodes() const { return nodes_; }
  [[nodiscard]] const std::optional<ServerVersion>& version() const { return version_; }
  [[nodiscard]] const kube::ClusterConfig& config() const { return config_; }

  // As those of ClusterCache.
  [[nodiscard]] base::Task<kube::Node> patchNode(std::string node, kube::PatchType type, json::Value patch);
  [[nodiscard]] base::Task<bool> deleteNode(std::string node, std::string uid);

 private:
  struct Listed {
    std::map<std::string, NodeView::Snapshot> nodes;
    std::map<std::string, std::string> undecoded;  // name → uid
    std::size_t weight = 0;
  };

  void listStarted() override;
  void listed(json::Value object) override;
  [[nodiscard]] base::Task<void> listFinished(std::string resourceVersion) override;
  void changed(json::Value object) override;
  void deleted(json::Value object) override;
  void advanced(const std::string& resourceVersion) override;
  void failed(const std::exception& error) override;

  void take(NodeView::Snapshot node);
  void takeGone(NodeView::Snapshot node);
  void tellNews();
  void checkRoom(std::size_t count, std::size_t weight) const;
  [[nodiscard]] kube::Error afterCall(const kube::Error& error, std::string_view doing);

  base::Runtime runtime_;
  kube::ClusterConfig config_;
  const ClusterCacheOptions& options_;
  Told told_;
  std::unique_ptr<kube::Client> client_;
  kube::Watcher watcher_;
  Listed listed_;
  NodeView nodes_;
  std::vector<NodeView::Snapshot> news_;  // to be told once nodes_ shows all of a list
  std::optional<ServerVersion> version_;
  std::optional<Unknown> problem_;  // the last one of the watch
  bool hopeless_ = false;           // … which waiting does not cure
  bool synced_ = false;
  base::MonoTime startedAt_, heardAt_;
};

}  // namespace ingot::coordinator::workload
