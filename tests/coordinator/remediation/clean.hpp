// That nothing of a remediation is left on its host and Node.
#pragma once

#include "tests/coordinator/remediation/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

inline bool isHeldByAnybody(const BareMetalHost& host) {
  for (const auto& [name, value] : host.metadata.annotations)
    if (name.starts_with("reboot.metal3.io")) return true;
  return false;
}

inline void checkClean(RemediationSite& site) {
  CHECK_FALSE(isHeldByAnybody(site.host()));
  if (const auto node = site.node()) {
    CHECK_FALSE(site.isTainted());
    CHECK(node->metadata.labels.contains("role"));
    CHECK(node->metadata.annotations.contains("note"));
  }
}

}  // namespace ingot::tests
