#pragma once

#include "api/capm3/v1beta2/network_data.hpp"
#include "cloudinit/snapshot.hpp"

namespace ingot::cloudinit::network {

[[nodiscard]] inline bool isGiven(const api::capm3::v1beta2::FromAnnotation& from) {
  return !from.object.empty() || !from.annotation.empty();
}

}  // namespace ingot::cloudinit::network
