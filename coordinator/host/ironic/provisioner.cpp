#include "coordinator/host/ironic/provisioner.hpp"

#include "coordinator/host/ironic/operations.hpp"
#include "coordinator/host/ironic/power.hpp"

namespace ingot::coordinator::host::ironic_backend {

base::Task<Registered> IronicProvisioner::registerHost(RegisterData data) {
  return ironic_backend::registerHost(session_, std::move(data));
}

base::Task<Inspected> IronicProvisioner::inspectHardware(InspectData data) {
  return ironic_backend::inspect(session_, std::move(data));
}

// In these states the node can be prepared next.
base::Task<bool> IronicProvisioner::isAtRest() {
  const auto state = (co_await session_.nodeWithReason())->state();
  co_return state == ironic::State::manageable || state == ironic::State::available;
}

base::Task<Progress> IronicProvisioner::adopt(AdoptData data) {
  return ironic_backend::adopt(session_, std::move(data));
}

base::Task<Progress> IronicProvisioner::prepare(PrepareData data) {
  return ironic_backend::prepare(session_, std::move(data));
}

base::Task<Progress> IronicProvisioner::provision(ProvisionData data) {
  return ironic_backend::provision(session_, std::move(data));
}

base::Task<Progress> IronicProvisioner::deprovision(DeprovisionData data) {
  return ironic_backend::deprovision(session_, std::move(data));
}

base::Task<bool> IronicProvisioner::owesErasure() { return ironic_backend::owesErasure(session_); }
base::Task<Progress> IronicProvisioner::lend(Loan loan) { return ironic_backend::lend(session_, loan); }
base::Task<Progress> IronicProvisioner::takeBack() { return ironic_backend::takeBack(session_); }
base::Task<Progress> IronicProvisioner::cleanAfterAll() { return ironic_backend::cleanAfterAll(session_); }

base::Task<BootLoan> IronicProvisioner::lendToBoot(ProvisionData data) {
  return ironic_backend::lendToBoot(session_, std::move(data));
}

base::Task<bool> IronicProvisioner::isPastBoot(api::Image image) {
  return ironic_backend::isPastBoot(session_, std::move(image));
}
base::Task<Progress> IronicProvisioner::noteBooted() { return ironic_backend::noteBooted(session_); }
base::Task<bool> IronicProvisioner::leavesLentAsItIs(std::optional<bool> provedOn) {
  return ironic_backend::leavesLentAsItIs(session_, provedOn);
}

base::Task<bool> IronicProvisioner::owesEjection() { return ironic_backend::owesEjection(session_); }
base::Task<Progress> IronicProvisioner::noteEjected() { return ironic_backend::noteEjected(session_); }

base::Task<Progress> IronicProvisioner::remove() { return ironic_backend::remove(session_); }

base::Task<std::string> IronicProvisioner::abandon(std::string reason) {
  return ironic_backend::abandon(session_, std::move(reason));
}

base::Task<std::optional<bool>> IronicProvisioner::poweredOn() {
  const NodePtr node = co_await session_.node();
  co_return node->poweredOn();
}

base::Task<Progress> IronicProvisioner::powerOn(PowerOn how) { return ironic_backend::powerOn(session_, how); }

base::Task<Progress> IronicProvisioner::powerOff(PowerOff how, std::string automatedCleaningMode) {
  return ironic_backend::powerOff(session_, {.mode = how.mode,
                                             .force = how.force,
                                             .cleaningDisabled = automatedCleaningMode == "disabled",
                                             .neverOff = session_.host().disablePowerOff});
}

base::Task<Progress> IronicProvisioner::endWork(std::string automatedCleaningMode) {
  return ironic_backend::endWork(session_, automatedCleaningMode == "disabled");
}

base::Task<std::string> IronicProvisioner::obstacle(base::Duration waited) {
  const NodePtr node = co_await nodeOrNothing();
  if (!node) co_return "";
  co_return powerObstacle(*node, session_.shared().refusals.why(node->uuid), waited);
}

// A sweep of many nodes takes its time: one that is late is no silence yet.
bool IronicProvisioner::answers() {
  const Shared& shared = session_.shared();
  const auto swept = shared.cache.sweptAt();
  return swept && *swept >= shared.runtime.clock.now() - 2 * shared.nodeMaxAge;
}

base::Task<bool> IronicProvisioner::acquireSlot() { return ironic_backend::acquireSlot(session_); }

base::Task<NodePtr> IronicProvisioner::nodeOrNothing() {
  if (NodePtr seen = session_.glance()) co_return seen;
  try {
    co_return co_await session_.node();
  } catch (const ProvisionerError&) {
  }
  co_return nullptr;
}

base::Task<bool> IronicProvisioner::hasPowerFailure() {
  const NodePtr node = co_await nodeOrNothing();
  co_return node && node->fault == "power failure";
}

base::Task<std::string> IronicProvisioner::health() {
  const NodePtr node = co_await nodeOrNothing();
  const bool known = node && (node->health == "OK" || node->health == "Warning" || node->health == "Critical");
  co_return known ? node->health : "";
}

}  // namespace ingot::coordinator::host::ironic_backend
