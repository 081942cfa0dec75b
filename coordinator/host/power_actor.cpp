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
  if (asked_.contains(host.uid)) {
    auto result = Result::continuing(base::Duration::zero());
    result.started = true;
    co_return result;
  }
  auto result = co_await backend.powerOff(mode, force, host.automatedCleaningMode);
  if (host.disablePowerOff && result.dirty && result.started) asked_.insert(host.uid);
  co_return result;
}

base::Task<Result> ProvisionerPower::checkAccess(const PoweredHost&) { co_return Result::complete(); }

base::Task<bool> ProvisionerPower::hasFailure(const PoweredHost&, Provisioner& backend) {
  co_return co_await backend.hasPowerFailure();
}

}  // namespace ingot::coordinator::host
