// What a pass over a host has to tell once its edits are saved.
#pragma once

#include "coordinator/host/metrics.hpp"
#include "kube/runtime/journal.hpp"

namespace ingot::coordinator::host {

using Journal = kube::Journal<Metrics>;

}  // namespace ingot::coordinator::host
