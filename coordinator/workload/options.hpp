// How long and how much a workload cluster may take.
#pragma once

#include "base/backoff.hpp"
#include "base/metrics.hpp"
#include "kube/client/config.hpp"
#include "net/limited_transport.hpp"

namespace ingot::coordinator::workload {

struct ClusterCacheOptions {
  base::Duration deadline = std::chrono::seconds(10);  // of one request, as Cluster API's
  base::Duration probeInterval = std::chrono::seconds(10);
  base::Duration probeDeadline = std::chrono::seconds(5);
  unsigned probesUntilLost = 3;                           // in a row; with the above: silent for 45 s at most
  base::Duration lookInterval = std::chrono::minutes(1);  // at the kubeconfig Secret while connected
  base::Duration syncTimeout = std::chrono::minutes(5);   // until the last page of the first list of Nodes is in
  base::Duration staleAfter = std::chrono::minutes(5);    // nothing of the watch, not even a bookmark
  base::Backoff backoff{std::chrono::seconds(1), std::chrono::minutes(1)};
  std::int64_t pageSize = 50;                   // Nodes of up to 60 KB
  std::size_t replyLimit = 8u << 20;            // bytes of one answer, of one page of Nodes, of one event of the watch
  std::size_t mostNodes = 10'000;               // twice what Kubernetes supports
  std::size_t mostNodeBytes = 64u << 20;        // of what is kept of all Nodes of a cluster
  std::size_t mostNodeBytesOfAll = 512u << 20;  // the same of all clusters together, with events read in part
  std::size_t mostConnections = 5'000;          // in one namespace: each takes sockets
  std::size_t bytesPerSecondOfAll = 32u << 20;  // that are read of all clusters together, in the long run
  // Events of a watch, each counted once or twice: all Nodes change at once now and then, and a few all the time.
  net::RequestRate newsRate{.perSecond = 1'000, .burst = 20'000};
  std::optional<net::RequestRate> requestRate = {};  // of each connection; nullopt: no limit
  base::Metrics* page = nullptr;                     // where capi_cluster_cache_* shows; outlives the cache
  kube::ApiOptions calls = {};                       // who calls: user agent and field manager of each request
  // HTTPS_PROXY and NO_PROXY hold for workload clusters as they do for the Metal3 managers.
  kube::Environment environment = kube::processEnvironment();
  std::string account = "/var/run/secrets/kubernetes.io/serviceaccount";  // of the pod, for a cluster that it is in
};

}  // namespace ingot::coordinator::workload
