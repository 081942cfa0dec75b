#include "coordinator/host/ironic/operations.hpp"

#include "coordinator/host/ironic/history.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

using ironic::State;
using ironic::Verb;

namespace {

struct Adoption : Operation<> {
  using Operation::operator();

  base::Task<Progress> operator()(Send step) const {
    co_return co_await session.changeState(node, {.verb = step.verb});
  }
};

// An agent takes out what it has booted, and Ironic tears down after that, once nobody else has the machine in
// maintenance.
bool isBeingEjected(const ironic::Node& node, const AdoptData& data) {
  return data.state == api::ProvisioningState::deprovisioning &&
         (isMarkedLent(node) || bootPhaseOf(node) != BootPhase::none);
}

}  // namespace

AdoptionPlan planAdoption(const ironic::Node& node, const AdoptData& data) {
  switch (node.state()) {
    case State::enroll:
    case State::verifying: return GiveUp{fmt::format("invalid state for adopt: {}", node.provisionState.text())};
    case State::manageable:
      if (data.state == api::ProvisioningState::deprovisioning) return Complete{};  // it is cleaned from here
      return Send{Verb::adopt};
    case State::adopting: return Wait{Pause::brief};
    case State::adoptFailed:
      if (data.restartOnFailure) return Send{Verb::adopt};
      return Fail{fmt::format("Host adoption failed: {}", errorOf(node))};
    case State::active:
      if (isBeingEjected(node, data)) return Complete{};
      if (node.maintenance && node.fault.empty() && data.state != api::ProvisioningState::deleting)
        return ClearMaintenance{};
      return Complete{};
    default: return Complete{};
  }
}

base::Task<Progress> adopt(Session& session, AdoptData data) {
  const NodePtr node = co_await session.nodeWithReason();
  const Adoption adoption{{session, node}};
  co_return co_await std::visit(adoption, planAdoption(*node, data));
}

}  // namespace ingot::coordinator::host::ironic_backend
