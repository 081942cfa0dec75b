#include "coordinator/host/power_actor.hpp"

namespace ingot::coordinator::host {

base::Task<PowerReading> ProvisionerPower::read(const PoweredHost&, Provisioner& backend) {
  PowerReading reading;
  reading.on = co_await backend.poweredOn();
  co_return reading;
}

base::Task<Result> ProvisionerPower::turnOn(const PoweredHost&, Provisioner& backend, bool force) {
  co_return co_await backend.powerOn(force);
}

base::Task<Result> ProvisionerPower::turnOff(const PoweredHost& host, Provisioner& backend, RebootMode mode,
                                             bool force) {
  co_return co_await backend.powerOff(mode, force, host.automatedCleaningMode);
}

base::Task<Result> ProvisionerPower::checkAccess(const PoweredHost&) { co_return Result::complete(); }

base::Task<bool> ProvisionerPower::hasFailure(const PoweredHost&, Provisioner& backend) {
  co_return co_await backend.hasPowerFailure();
}

}  // namespace ingot::coordinator::host
