// What a pass settles before the state machine sees the host: a status carried over in an annotation, hardware details
// from HardwareData or an annotation, the architecture, our finalizer (spec/baremetalhost.md §5.2 steps 4 to 6).
#pragma once

#include "base/log.hpp"
#include "coordinator/host/cluster.hpp"
#include "coordinator/host/journal.hpp"

namespace ingot::coordinator::host {

struct Intake {
  api::BareMetalHost& host;  // the draft
  Cluster& cluster;
  Journal& journal;
  base::WallTime now;
  base::Log log;
};

enum class Taken {
  everything,  // the pass goes on
  unsaved,     // what was settled has to be saved before anything else; come back at once
  nothing,     // a carried status cannot be taken over, and the machine may be in use: leave it alone
};

[[nodiscard]] base::Task<Taken> takeIn(Intake in);

}  // namespace ingot::coordinator::host
