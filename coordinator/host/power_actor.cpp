#include "coordinator/host/power_actor.hpp"

namespace ingot::coordinator::host {

base::Task<PowerReading> ProvisionerPower::read(const PoweredHost&, PowerBackend& backend) {
  PowerReading reading;
  reading.on = co_await backend.poweredOn();
  co_return reading;
}

base::Task<Progress> ProvisionerPower::turnOn(const PoweredHost&, PowerBackend& backend, PowerOn how) {
  co_return co_await backend.powerOn(how);
}

base::Task<Progress> ProvisionerPower::turnOff(const PoweredHost& host, PowerBackend& backend, PowerOff how) {
  if (asked_.contains(host.uid)) co_return Working{.started = true};
  const Progress progress = co_await backend.powerOff(how, host.automatedCleaningMode);
  const auto* working = std::get_if<Working>(&progress);
  if (host.disablePowerOff && working != nullptr && working->started) asked_.insert(host.uid);
  co_return progress;
}

std::string ProvisionerPower::whyNotNow(const PoweredHost&, bmc::PowerAction) {
  return "no agent serves this host, and Ironic is not asked for it";
}

base::Task<Progress> ProvisionerPower::checkAccess(const PoweredHost&) { co_return Done{}; }

base::Task<bool> ProvisionerPower::hasFailure(const PoweredHost&, PowerBackend& backend) {
  co_return co_await backend.hasPowerFailure();
}

}  // namespace ingot::coordinator::host
