// Inspection (spec/ironic.md §6.3).
#pragma once

#include "coordinator/host/ironic/session.hpp"

namespace ingot::coordinator::host::ironic_backend {

struct InspectFlags {
  bool restartOnFailure = false;
  bool refresh = false;      // also when there is an inventory already
  bool forceReboot = false;  // do not wait for the ramdisk any longer
  bool fast = false;         // out of band
};

[[nodiscard]] Plan planInspection(const ironic::Node& node, InspectFlags flags);

[[nodiscard]] base::Task<Inspected> inspect(Session& session, InspectData data, InspectFlags flags);

}  // namespace ingot::coordinator::host::ironic_backend
