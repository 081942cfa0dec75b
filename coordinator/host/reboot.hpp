// The reboot annotations: reboot.metal3.io, taken off by us once the host is off, and reboot.metal3.io/<key>,
// which keep the host off until each client takes its own off (spec/baremetalhost.md §8.11).
#pragma once

#include "coordinator/host/power_backend.hpp"

#include <map>
#include <string>

namespace ingot::coordinator::host {

using Annotations = std::map<std::string, std::string>;

struct RebootRequest {
  bool wanted = false;
  RebootMode mode = RebootMode::soft;   // hard when any counted request says so
  std::vector<std::string> unreadable;  // annotations whose value is not the JSON we expect: they count as soft
};

// With `forcedOnly` (a host that is not provisioned) only requests with "force": true count.
[[nodiscard]] RebootRequest rebootRequested(const Annotations& annotations, bool forcedOnly);

// Some request says "force": true: waiting work of the backend may be aborted for it.
[[nodiscard]] bool rebootForced(const Annotations& annotations);

}  // namespace ingot::coordinator::host
