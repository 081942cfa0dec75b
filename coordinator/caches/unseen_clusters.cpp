#include "coordinator/caches/unseen_clusters.hpp"

#include "kube/core/error.hpp"

namespace ingot::coordinator {
namespace {

constexpr base::Duration kRemembered = std::chrono::seconds(30);

}  // namespace

base::Task<bool> UnseenClusters::isPaused(std::optional<kube::ObjectKey> cluster) {
  if (!cluster || clusters_.find(*cluster)) co_return false;  // the pause of one that is shown is known
  const auto unseen = co_await find(std::move(*cluster));
  co_return unseen && unseen->paused();
}

base::Task<std::optional<api::capi::Cluster>> UnseenClusters::find(kube::ObjectKey cluster) {
  const auto now = clock_.now();
  const auto isOld = [now](const auto& one) { return now - one.second >= kRemembered; };
  if (now - clearedAt_ >= kRemembered) {  // not each time: there may be thousands
    std::erase_if(absent_, isOld);
    clearedAt_ = now;
  }
  if (const auto known = absent_.find(cluster); known != absent_.end() && !isOld(*known)) co_return std::nullopt;
  std::optional<api::capi::Cluster> stored;
  try {
    stored = co_await client_.get<api::capi::Cluster>(cluster);
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::notFound) throw;  // Cluster API is not installed
  }
  if (!stored) absent_.insert_or_assign(std::move(cluster), now);
  co_return stored;
}

}  // namespace ingot::coordinator
