// Operations on the host of a World, each until it has ended.
#pragma once

#include "tests/coordinator/ironic/world.hpp"

namespace ingot::tests {

inline Inspected inspected(World& world) {
  return world.untilDone([](Provisioner& p) { return p.inspectHardware(inBand()); });
}

inline Progress provisioned(World& world, coordinator::host::ProvisionData data = diskImage()) {
  return world.untilDone([=](Provisioner& p) { return p.provision(data); });
}

inline Progress deprovisioned(World& world, std::string mode = "metadata") {
  return world.untilDone([=](Provisioner& p) { return p.deprovision({.automatedCleaningMode = mode}); });
}

inline Progress removed(World& world) {
  return world.untilDone([](Provisioner& p) { return p.remove(); });
}

}  // namespace ingot::tests
