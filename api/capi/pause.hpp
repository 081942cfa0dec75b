// How Cluster API says that objects rest.
#pragma once

#include "api/capi/cluster.hpp"
#include "api/capm3/names.hpp"

namespace ingot::api::capi {

// The annotation that keeps any object of Cluster API's family as it is.
[[nodiscard]] inline bool isPaused(const kube::ObjectMeta& metadata) {
  return metadata.annotation(std::string(capm3::annotation::paused)) != nullptr;
}

// Whether a change of a Cluster begins or ends the pause of what belongs to it.
[[nodiscard]] inline bool pausedOtherwise(const Cluster& before, const Cluster& after) {
  return before.paused() != after.paused() || before.metadata.uid != after.metadata.uid;
}

}  // namespace ingot::api::capi
