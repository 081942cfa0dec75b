// Which objects of Cluster API's family an instance with --watch-filter works on.
#pragma once

#include "api/capm3/names.hpp"
#include "kube/core/object_meta.hpp"

#include <string>
#include <string_view>

namespace ingot::api::capi {

// `value`: of the label cluster.x-k8s.io/watch-filter; "": every object passes.
[[nodiscard]] inline bool passesWatchFilter(const kube::ObjectMeta& metadata, std::string_view value) {
  if (value.empty()) return true;
  const std::string* label = metadata.label(std::string(capm3::label::watchFilter));
  return label != nullptr && *label == value;
}

}  // namespace ingot::api::capi
