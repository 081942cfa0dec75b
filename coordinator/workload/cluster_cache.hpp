// The workload clusters: one connection each, opened when somebody first asks, shared by every controller, with a watch
// of its Nodes. No controller lists Nodes, holds a kubeconfig, or waits for a cluster that does not answer.
//
//   kubeconfig Secret ──► connection: a watch of Nodes, a probe each 10 s, a look at the Secret each minute
//          ▲                  │ lost, refused, Secret changed
//          └──── back-off ◄───┘
//
// A cluster that does not answer costs the others nothing: each has coroutines and sockets of its own. What all of them
// take together is bounded, too: the more there are the slower each is read, the largest one lets go, and a namespace
// has so many at most.
#pragma once

#include "base/runtime.hpp"
#include "base/sync.hpp"
#include "coordinator/workload/node_view.hpp"
#include "coordinator/workload/options.hpp"
#include "coordinator/workload/server_version.hpp"
#include "coordinator/workload/unknown.hpp"
#include "kube/runtime/cache.hpp"
#include "kube/runtime/subscription.hpp"
#include "net/client.hpp"

#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ingot::coordinator::workload {

struct Shares;
class Connection;
class Link;

class ClusterCache {
 public:
  // `management` holds the kubeconfig Secrets. What is sent to workload clusters goes through `transport`. Both outlive
  // this.
  ClusterCache(base::Runtime runtime, kube::Api& management, net::HttpTransport& transport,
               ClusterCacheOptions options = {});
  ~ClusterCache();
  ClusterCache(const ClusterCache&) = delete;
  ClusterCache& operator=(const ClusterCache&) = delete;

  // What is known of a workload cluster's Nodes now. Never waits and sends nothing: it alone asks for the
  // connection when there is none, and onChange() tells when there is more to see. `cluster` is the key of a Cluster
  // that exists: the connection stays until forget(). A namespace that has as many as it may gets no further one, and
  // is to ask again. The view is good until the caller waits or calls forget().
  [[nodiscard]] std::expected<const NodeView*, Unknown> nodes(const kube::ObjectKey& cluster);

  // nullopt while the cluster is not connected, or when it keeps its version to itself.
  [[nodiscard]] std::optional<ServerVersion> serverVersion(const kube::ObjectKey& cluster) const;

  // The calls below throw kube::Error without words of the server's: {unreachable} when there is no connection. They
  // are sent once, so {interrupted} means that it may be done. A patch made from a Node of nodes() carries its
  // resourceVersion, as that may be a moment old.
  [[nodiscard]] base::Task<kube::Node> patchNode(kube::ObjectKey cluster, std::string node, json::Value patch,
                                                 kube::PatchType type = kube::PatchType::merge);
  // False when there was none of that uid.
  [[nodiscard]] base::Task<bool> deleteNode(kube::ObjectKey cluster, std::string node, std::string uid);

  // No Pod on it is on its way out any more, and no volume is attached: the look of a remediation that has put a Node
  // out of service.
  [[nodiscard]] base::Task<bool> isDrained(kube::ObjectKey cluster, std::string node);

  // Called on the loop thread, after nodes() shows it: with a Node that has appeared, changed in what matters, or gone.
  // One that is gone is told of as it was last; one whose providerID, uid label or host name has changed as it was and
  // as it is. With nullptr when a cluster became reachable (its Nodes are not told of one by one), is so no more, or
  // is not for another reason.
  using Listener = std::function<void(const kube::ObjectKey& cluster, const kube::Node* node)>;
  [[nodiscard]] kube::Subscription onChange(Listener listener);

  // Its Cluster is gone: ends the connection. nodes() opens another one, so nobody asks for it after this.
  void forget(const kube::ObjectKey& cluster);

  // While it lasts: forgets each Cluster that goes from this cache of them.
  template <kube::Kind Cluster>
  [[nodiscard]] kube::Subscription endWith(kube::Cache<Cluster>& clusters) {
    return clusters.listen([this](const typename kube::Cache<Cluster>::Change& change) {
      if (!change.after) forget(change.key);
    });
  }

  // All connections live in it; ends when cancelled. Clusters that were asked for before are connected then.
  [[nodiscard]] base::Task<void> run();

 private:
  struct Changed {
    const kube::ObjectKey& cluster;
    const kube::Node* node;
  };
  [[nodiscard]] Connection* connectionTo(const kube::ObjectKey& cluster);
  [[nodiscard]] std::shared_ptr<Link> linkTo(const kube::ObjectKey& cluster) const;

  base::Runtime runtime_;
  kube::Api& management_;
  net::HttpTransport& transport_;
  ClusterCacheOptions options_;
  std::unique_ptr<Shares> shares_;
  kube::Listeners<Changed> listeners_;
  std::map<kube::ObjectKey, std::shared_ptr<Connection>> connections_;
  std::map<std::string, std::size_t> inNamespace_;    // how many of them
  std::vector<std::shared_ptr<Connection>> waiting_;  // to be started
  base::Notifier asked_;
};

}  // namespace ingot::coordinator::workload
