#include "coordinator/host/ironic/operations.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

using ironic::State;
using ironic::Verb;

namespace {

constexpr auto noRaid =
    "RAID volumes are not supported yet, neither making nor removing them: remove spec.raid; where the host has "
    "volumes "
    "of its own, remove them by hand, delete the host and create it anew";

}  // namespace

bool changesVolumes(const std::optional<api::RaidConfig>& target, const std::optional<api::RaidConfig>& actual) {
  if (!target) return false;
  const api::RaidConfig known = actual.value_or(api::RaidConfig{});
  if (target->hardwareRAIDVolumes && target->hardwareRAIDVolumes != known.hardwareRAIDVolumes) return true;
  if (!target->softwareRAIDVolumes || target->softwareRAIDVolumes == known.softwareRAIDVolumes) return false;
  // Nothing is recorded of software volumes. They never stand beside hardware volumes; else there may be some.
  const bool onHardware = known.hardwareRAIDVolumes && !known.hardwareRAIDVolumes->empty();
  const bool none = onHardware && !known.softwareRAIDVolumes && target->softwareRAIDVolumes->empty();
  return !none;
}

PreparationPlan planPreparation(const ironic::Node& node, bool restartOnFailure) {
  switch (node.state()) {
    case State::available:
    case State::manageable: return Complete{};
    case State::cleanFailed:
      if (!restartOnFailure) return Fail{node.lastError.empty() ? "Cleaning failed" : node.lastError};
      if (node.maintenance) return ClearMaintenance{};
      return Send{Verb::manage};
    case State::cleaning:
    case State::cleanWait: return Wait{Pause::extended};
    default: return GiveUp{fmt::format("have unexpected ironic node state {}", node.provisionState.text())};
  }
}

base::Task<Progress> prepare(Session& session, PrepareData data) {
  // Refused rather than ignored: a host must not look prepared with volumes that were never made, or never removed.
  if (data.unprepared && changesVolumes(data.targetRaid, data.actualRaid)) co_return Refused{noRaid};
  const NodePtr node = co_await session.nodeWithReason();
  const Operation<> preparation{session, node};
  co_return co_await std::visit(preparation, planPreparation(*node, data.restartOnFailure));
}

}  // namespace ingot::coordinator::host::ironic_backend
