#include "coordinator/data/gate.hpp"

namespace ingot::coordinator::data {

bool Gate::takes(const kube::ObjectMeta& metadata) const {
  return api::capi::passesWatchFilter(metadata, watchFilter_);
}

Rest Gate::restOf(const kube::ObjectMeta& metadata) const {
  if (api::capi::isPaused(metadata)) return Rest::paused;
  const auto key = clusterOf(metadata);
  if (!key) return Rest::no;
  if (clusters_.isUnreadable(*key)) return Rest::unknown;
  const auto cluster = clusters_.find(*key);
  return cluster && cluster->paused() ? Rest::paused : Rest::no;
}

}  // namespace ingot::coordinator::data
