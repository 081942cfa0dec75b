#include "coordinator/shadow/cluster_room.hpp"

namespace ingot::coordinator::shadow {

bool ClusterRoom::has(const std::string& cluster, std::size_t bytes) const {
  const auto found = taken_.find(cluster);
  const std::size_t taken = found == taken_.end() ? 0 : found->second;
  return cluster.empty() || (taken + bytes <= mostOfOne_ && sum_ + bytes <= mostOfAll_);
}

bool ClusterRoom::take(const std::string& cluster, std::size_t before, std::size_t after) {
  if (cluster.empty()) return true;
  if (after > before && !has(cluster, after - before)) return false;
  auto& taken = taken_[cluster];
  taken = taken - before + after;
  sum_ = sum_ - before + after;
  return true;
}

void ClusterRoom::free(const std::string& cluster, std::size_t bytes) {
  const auto found = taken_.find(cluster);
  if (found == taken_.end()) return;
  found->second -= bytes;
  sum_ -= bytes;
  if (found->second == 0) taken_.erase(found);
}

}  // namespace ingot::coordinator::shadow
