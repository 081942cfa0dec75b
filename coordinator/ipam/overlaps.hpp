// Pools of one namespace that can give out the same address. That may be meant, for networks that know nothing of each
// other, so it is told and nothing is refused.
#pragma once

#include "api/ipam/ip_pool.hpp"
#include "api/ipam/span.hpp"
#include "kube/runtime/cache.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ingot::coordinator::ipam {

// The addresses of a pool's ranges.
class PoolSpans {
 public:
  explicit PoolSpans(const api::ipam::IPPool& pool);
  // The first address that both have.
  [[nodiscard]] std::optional<base::IpAddress> firstShared(const PoolSpans& other) const;

 private:
  std::vector<api::ipam::Span> spans_;  // in order, none overlaps the next
};

class Overlaps {
 public:
  explicit Overlaps(kube::Cache<api::ipam::IPPool>& pools) : pools_(pools) {}

  // What to tell of it; "" when it shares nothing.
  [[nodiscard]] std::string textOf(const api::ipam::IPPool& pool);
  // Whether that was told of the pool as it is.
  [[nodiscard]] bool isTold(const kube::ObjectMeta& pool) const;
  void noteTold(const kube::ObjectMeta& pool);
  void forget(const kube::ObjectKey& pool);

 private:
  using Version = std::pair<std::string, std::int64_t>;  // uid, generation

  const PoolSpans& spansOf(const api::ipam::IPPool& pool);

  kube::Cache<api::ipam::IPPool>& pools_;
  std::map<kube::ObjectKey, std::pair<Version, PoolSpans>> spans_;
  std::map<kube::ObjectKey, Version> told_;
};

}  // namespace ingot::coordinator::ipam
