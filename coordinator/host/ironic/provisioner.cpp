#include "coordinator/host/ironic/provisioner.hpp"

#include "coordinator/host/ironic/adopt.hpp"
#include "coordinator/host/ironic/capacity.hpp"
#include "coordinator/host/ironic/deprovision.hpp"
#include "coordinator/host/ironic/inspect.hpp"
#include "coordinator/host/ironic/power.hpp"
#include "coordinator/host/ironic/prepare.hpp"
#include "coordinator/host/ironic/provision.hpp"
#include "coordinator/host/ironic/register.hpp"
#include "coordinator/host/ironic/remove.hpp"

namespace ingot::coordinator::host::ironic_backend {

base::Task<Registered> IronicProvisioner::registerHost(RegisterData data, bool credentialsChanged,
                                                       bool restartOnFailure) {
  return ironic_backend::registerHost(session_, std::move(data), {credentialsChanged, restartOnFailure});
}

base::Task<Inspected> IronicProvisioner::inspectHardware(InspectData data, bool restartOnFailure, bool refresh,
                                                         bool forceReboot) {
  const bool fast = data.inspectionMode == "fast";
  return ironic_backend::inspect(session_, std::move(data), {restartOnFailure, refresh, forceReboot, fast});
}

base::Task<std::optional<bool>> IronicProvisioner::poweredOn() {
  const NodePtr node = co_await session_.node();
  co_return node->poweredOn();
}

base::Task<Result> IronicProvisioner::adopt(std::string state, bool restartOnFailure) {
  return ironic_backend::adopt(session_, std::move(state), restartOnFailure);
}

base::Task<Prepared> IronicProvisioner::prepare(PrepareData data, bool unprepared, bool restartOnFailure) {
  return ironic_backend::prepare(session_, std::move(data), unprepared, restartOnFailure);
}

base::Task<Result> IronicProvisioner::provision(ProvisionData data, bool forceReboot) {
  return ironic_backend::provision(session_, std::move(data), forceReboot);
}

base::Task<Result> IronicProvisioner::deprovision(bool restartOnFailure, std::string automatedCleaningMode) {
  return ironic_backend::deprovision(session_, restartOnFailure, std::move(automatedCleaningMode));
}

base::Task<Result> IronicProvisioner::remove() { return ironic_backend::remove(session_); }

base::Task<Result> IronicProvisioner::powerOn(bool force) { return ironic_backend::powerOn(session_, force); }

base::Task<Result> IronicProvisioner::powerOff(RebootMode mode, bool force, std::string automatedCleaningMode) {
  return ironic_backend::powerOff(session_,
                                  {mode, force, automatedCleaningMode == "disabled", session_.host().disablePowerOff});
}

base::Task<Result> IronicProvisioner::endWork(std::string automatedCleaningMode) {
  return ironic_backend::endWork(session_, automatedCleaningMode == "disabled");
}

base::Task<bool> IronicProvisioner::hasCapacity() { return ironic_backend::hasCapacity(session_); }

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
