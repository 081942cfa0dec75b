// The pools that there are, and which of them may work.
#pragma once

#include "base/clock.hpp"
#include "coordinator/ipam/membership.hpp"
#include "kube/runtime/index.hpp"

namespace ingot::coordinator::ipam {

// How soon something is looked at again whose end nobody tells.
inline constexpr base::Duration kLookAgain = std::chrono::seconds(30);

class Pools {
 public:
  // `allPools`: the cache shows every one that there is.
  Pools(kube::Cache<api::ipam::IPPool>& pools, bool allPools, kube::Cache<api::capi::Cluster>& clusters);

  // nullptr: there is none.
  [[nodiscard]] std::shared_ptr<const api::ipam::IPPool> find(const kube::ObjectKey& key) const {
    return pools_.find(key);
  }
  // False: there may be others, which another process serves.
  [[nodiscard]] bool areAll() const { return allPools_; }
  // The pool exists, but what it says is not known.
  [[nodiscard]] bool isUnreadable(const kube::ObjectKey& key) const { return pools_.isUnreadable(key); }
  [[nodiscard]] std::shared_ptr<const api::capi::Cluster> clusterFor(const api::ipam::IPPool& pool) const;
  // `cluster`: of a claim; nullopt: none. One that cannot be read may be paused, and nobody tells when that ends.
  enum class Rest : std::uint8_t { no, paused, unknown };
  [[nodiscard]] Rest restOf(const std::optional<kube::ObjectKey>& cluster) const;
  [[nodiscard]] bool knows(const kube::ObjectKey& cluster) const { return clusters_.find(cluster) != nullptr; }
  // Whether claims of the pool are worked on now.
  [[nodiscard]] bool isOpen(const api::ipam::IPPool& pool) const;
  // Whether the pool gives new addresses now: it must hold our finalizer first, or it may be gone before them. A pool
  // in deletion gives none (spec/ipam.md §18, hazard 4).
  [[nodiscard]] bool gives(const api::ipam::IPPool& pool) const;
  // Of one that does not. `isWait`: somebody has to do something, and may not know it.
  struct Why {
    std::string text;
    bool isWait = false;
  };
  [[nodiscard]] Why whyNot(const api::ipam::IPPool& pool) const;
  [[nodiscard]] std::vector<kube::ObjectKey> ofCluster(const api::capi::Cluster& cluster) const {
    return ofCluster_.copy(cluster.metadata.key());
  }

 private:
  kube::Cache<api::ipam::IPPool>& pools_;
  bool allPools_;
  kube::Cache<api::capi::Cluster>& clusters_;
  kube::Index<api::ipam::IPPool> ofCluster_;
};

}  // namespace ingot::coordinator::ipam
