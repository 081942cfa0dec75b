#include "bmc/driver.hpp"

#include "bmc/ipmi/driver.hpp"
#include "bmc/redacting_driver.hpp"
#include "bmc/redfish/driver.hpp"

namespace ingot::bmc {

namespace {

std::unique_ptr<Driver> speakingTo(base::Runtime runtime, Transports transports, Target target) {
  if (target.address.traits().protocol == Protocol::ipmi)
    return std::make_unique<ipmi::IpmiDriver>(std::move(runtime), transports.processes, std::move(target),
                                              transports.ipmitoolHome);
  return std::make_unique<redfish::RedfishDriver>(std::move(runtime), transports.http, std::move(target));
}

}  // namespace

std::unique_ptr<Driver> openDriver(base::Runtime runtime, Transports transports, Target target) {
  auto password = target.login.password;
  return std::make_unique<RedactingDriver>(speakingTo(std::move(runtime), transports, std::move(target)),
                                           std::move(password));
}

}  // namespace ingot::bmc
