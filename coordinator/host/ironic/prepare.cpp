#include "coordinator/host/ironic/prepare.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

using ironic::State;
using ironic::Verb;

namespace {

bool asksForVolumes(const std::optional<api::RaidConfig>& raid) {
  if (!raid) return false;
  const bool hardware = raid->hardwareRAIDVolumes && !raid->hardwareRAIDVolumes->empty();
  const bool software = raid->softwareRAIDVolumes && !raid->softwareRAIDVolumes->empty();
  return hardware || software;
}

}  // namespace

Plan planPreparation(const ironic::Node& node, bool restartOnFailure) {
  switch (node.state()) {
    case State::available:
    case State::manageable: return Plan::complete();
    case State::cleanFailed:
      if (!restartOnFailure) return Plan::fail(node.lastError.empty() ? "Cleaning failed" : node.lastError);
      if (node.maintenance) return Plan::just(Plan::Kind::clearMaintenance);
      return Plan::send(Verb::manage);
    case State::cleaning:
    case State::cleanWait: return Plan::wait(Pause::extended);
    default: return Plan::giveUp(fmt::format("have unexpected ironic node state {}", node.provisionState.text()));
  }
}

base::Task<Prepared> prepare(Session& session, PrepareData data, bool unprepared, bool restartOnFailure) {
  // Refused rather than ignored: a host must not look prepared with volumes that were never made.
  if (unprepared && asksForVolumes(data.targetRaid))
    co_return Prepared{Result::failed("RAID volumes are not supported yet: remove spec.raid")};
  const NodePtr node = co_await session.node();
  const Plan plan = planPreparation(*node, restartOnFailure);
  const Sent sent = co_await session.carryOut(plan, node);
  co_return Prepared{sent.result, unprepared && plan.kind == Plan::Kind::complete};
}

}  // namespace ingot::coordinator::host::ironic_backend
