#include "coordinator/workload/cluster_cache.hpp"

#include "coordinator/workload/connection.hpp"
#include "coordinator/workload/shares.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::workload {

ClusterCache::ClusterCache(base::Runtime runtime, kube::Api& management, net::HttpTransport& transport,
                           ClusterCacheOptions options)
    : runtime_(runtime.named("clustercache")),
      management_(management),
      transport_(transport),
      options_(std::move(options)),
      shares_(std::make_unique<Shares>(options_)),
      asked_(runtime.executor) {}

ClusterCache::~ClusterCache() = default;

std::expected<const NodeView*, Unknown> ClusterCache::nodes(const kube::ObjectKey& cluster) {
  if (const auto* connection = connectionTo(cluster)) return connection->nodes();
  return std::unexpected(
      Unknown{Unknown::Reason::failing, fmt::format("namespace {} has {} workload clusters connected, and gets no more",
                                                    cluster.namespace_, options_.mostConnections)});
}

std::optional<ServerVersion> ClusterCache::serverVersion(const kube::ObjectKey& cluster) const {
  const auto found = connections_.find(cluster);
  const auto link = found == connections_.end() ? nullptr : found->second->link();
  return link ? link->version() : std::nullopt;
}

base::Task<kube::Node> ClusterCache::patchNode(kube::ObjectKey cluster, std::string node, json::Value patch,
                                               kube::PatchType type) {
  const auto link = linkTo(cluster);
  co_return co_await link->patchNode(std::move(node), type, std::move(patch));
}

base::Task<bool> ClusterCache::deleteNode(kube::ObjectKey cluster, std::string node, std::string uid) {
  const auto link = linkTo(cluster);
  co_return co_await link->deleteNode(std::move(node), std::move(uid));
}

base::Task<bool> ClusterCache::isDrained(kube::ObjectKey cluster, std::string node) {
  const auto link = linkTo(cluster);
  co_return co_await link->isDrained(std::move(node));
}

kube::Subscription ClusterCache::onChange(Listener listener) {
  return listeners_.add(
      [listener = std::move(listener)](const Changed& change) { listener(change.cluster, change.node); });
}

void ClusterCache::forget(const kube::ObjectKey& cluster) {
  const auto found = connections_.find(cluster);
  if (found == connections_.end()) return;
  found->second->end();
  connections_.erase(found);
  const auto count = inNamespace_.find(cluster.namespace_);
  if (--count->second == 0) inNamespace_.erase(count);
}

base::Task<void> ClusterCache::run() {
  base::TaskGroup tasks(runtime_.executor, runtime_.log);
  std::exception_ptr why;
  try {
    while (true) {
      for (auto& connection : std::exchange(waiting_, {}))
        tasks.spawn("workload cluster", Connection::run(std::move(connection)));
      co_await asked_.wait();
    }
  } catch (...) {
    why = std::current_exception();
  }
  for (const auto& [cluster, connection] : connections_) connection->end();
  connections_.clear();
  inNamespace_.clear();
  co_await tasks.close();
  std::rethrow_exception(why);
}

// nullptr: its namespace has as many as it may.
Connection* ClusterCache::connectionTo(const kube::ObjectKey& cluster) {
  if (const auto found = connections_.find(cluster); found != connections_.end()) return found->second.get();
  std::size_t& count = inNamespace_[cluster.namespace_];
  if (count >= options_.mostConnections) return nullptr;
  ++count;
  const auto tell = [this](const kube::ObjectKey& key, const kube::Node* node) { listeners_.tell({key, node}); };
  auto connection = std::make_shared<Connection>(runtime_, management_, transport_, options_, *shares_, cluster, tell);
  connections_.emplace(cluster, connection);
  waiting_.push_back(connection);
  asked_.notifyAll();
  return connection.get();
}

std::shared_ptr<Link> ClusterCache::linkTo(const kube::ObjectKey& cluster) const {
  const auto found = connections_.find(cluster);
  if (found == connections_.end())
    throw kube::Error(kube::Error::Code::unreachable, "there is no connection to the workload cluster");
  auto link = found->second->link();
  if (!link) throw kube::Error(kube::Error::Code::unreachable, found->second->why().text);
  return link;
}

}  // namespace ingot::coordinator::workload
