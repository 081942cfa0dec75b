// Preparation before a host becomes available (spec/ironic.md §6.6). No step needs cleaning yet (RAID, BIOS and
// firmware settings have none here), so all there is to do is to get a node out of a failed or running cleaning.
#pragma once

#include "coordinator/host/ironic/session.hpp"

namespace ingot::coordinator::host::ironic_backend {

[[nodiscard]] Plan planPreparation(const ironic::Node& node, bool restartOnFailure);

[[nodiscard]] base::Task<Prepared> prepare(Session& session, PrepareData data, bool unprepared, bool restartOnFailure);

}  // namespace ingot::coordinator::host::ironic_backend
