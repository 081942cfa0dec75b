#include "coordinator/caches/unseen_clusters.hpp"

#include "kube/core/error.hpp"

namespace ingot::coordinator {
namespace {

constexpr base::Duration kRemembered = std::chrono::seconds(30);

}  // namespace

base::Task<bool> UnseenClusters::isPaused(kube::ObjectKey cluster) {
  if (clusters_.find(cluster)) co_return false;  // its pause is known
  const auto now = clock_.now();
  std::erase_if(absent_, [&](const auto& one) { return now - one.second >= kRemembered; });
  if (absent_.contains(cluster)) co_return false;
  std::optional<api::capi::Cluster> stored;
  try {
    stored = co_await client_.get<api::capi::Cluster>(cluster);
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::notFound) throw;  // Cluster API is not installed
  }
  if (!stored) absent_.emplace(std::move(cluster), now);
  co_return stored && stored->paused();
}

}  // namespace ingot::coordinator
