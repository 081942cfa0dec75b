#include "bmc/machine_check.hpp"

namespace ingot::bmc {

namespace {

// One that starts does not show its system yet.
base::Task<Identity> identityOf(IdentitySource& host, Lane lane) {
  try {
    co_return co_await host.identify(lane);
  } catch (const Error& error) {
    if (error.code() != Error::Code::unsupported) throw;
    throw Error(Error::Code::busy, error.what());
  }
}

}  // namespace

std::string orNothing(const std::string& text) { return text.empty() ? "nothing" : text; }

base::Task<void> requireMachine(IdentitySource& host, Lane lane, std::string serialNumber, ErasureRecord& record) {
  const auto machine = co_await identityOf(host, lane);
  const bool isUnsaid = (!serialNumber.empty() && machine.serialNumber.empty()) ||
                        (!record.systemUuid.empty() && machine.systemUuid.empty());
  if (isUnsaid) throw Error(Error::Code::busy, "the BMC does not say which machine this is");
  const bool isOther = !serialNumber.empty() && !sameSerial(serialNumber, machine.serialNumber);
  const bool hasChanged = !record.systemUuid.empty() && !sameSerial(record.systemUuid, machine.systemUuid);
  if (isOther || hasChanged)
    throw Error(Error::Code::refused,
                fmt::format("this is another machine: the BMC tells serial number {} (UUID {}), and the host had {}{}",
                            orNothing(machine.serialNumber), orNothing(machine.systemUuid), orNothing(serialNumber),
                            hasChanged ? fmt::format(" (UUID {})", record.systemUuid) : ""));
  record.manufacturer = machine.manufacturer;
  record.model = machine.model;
  record.serialNumber = machine.serialNumber;
  record.systemUuid = machine.systemUuid;
  record.bmcFirmware = machine.bmcFirmware;
}

}  // namespace ingot::bmc
