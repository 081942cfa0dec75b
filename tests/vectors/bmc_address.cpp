// BMC address → what Ironic is told (spec/ironic.md §4).
#include "coordinator/host/ironic/access.hpp"
#include "tests/vectors/vector_runner.hpp"

namespace {

using namespace ingot;
namespace backend = coordinator::host::ironic_backend;

coordinator::host::Credentials credentialsOf(const json::Value& in) {
  return {json::textAt(in, {"credentials", "username"}), base::Secret(json::textAt(in, {"credentials", "password"}))};
}

// Upstream names the plain redfish interface here, which the idrac hardware type refuses; ours is the one that works
// (spec/ironic.md §10, M6). Everything else of such a line must agree.
std::string_view asUpstreamNames(const backend::Access& access) {
  return access.driver == "idrac" ? "redfish" : access.fastInspect;
}

json::Object answerFor(const bmc::Address& address, const json::Value& in) {
  const backend::Access& access = backend::accessOf(address.scheme);
  const bmc::Traits& traits = address.traits();
  const bool insecure = json::boolAt(in, {"disableCertificateVerification"}).value_or(false);
  return {{"biosInterface", access.bios},
          {"bootInterface", access.boot},
          {"driver", access.driver},
          {"driverInfo", backend::driverInfo(address, credentialsOf(in), insecure)},
          {"firmwareInterface", access.firmware},
          {"inspectInterface", asUpstreamNames(access)},
          {"managementInterface", access.management},
          {"needsMAC", traits.needsBootMac},
          {"powerInterface", access.power},
          {"raidInterface", access.raid},
          {"requiresProvisioningNetwork", traits.needsProvisioningNetwork},
          {"supportsISOPreprovisioningImage", traits.isoBoot},
          {"supportsSecureBoot", traits.secureBoot},
          {"type", address.type},
          {"vendorInterface", access.vendor}};
}

vectors::Outcome runBmcAddress(const vectors::Line& line) {
  try {
    const bmc::Address address = bmc::parseAddress(json::textAt(line.in, {"address"}));
    return vectors::compare(line, answerFor(address, line.in), std::nullopt);
  } catch (const bmc::AddressError& error) {
    return vectors::compare(line, nullptr, error.what());
  }
}

const vectors::Registration bmcAddressRegistration("bmc_address", runBmcAddress);

}  // namespace
