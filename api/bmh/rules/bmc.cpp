// What the address of the BMC, and the driver it stands for, allow.
#include "api/bmh/rules/rules.hpp"
#include "bmc/model/mac.hpp"

namespace ingot::api::rules {

std::optional<bmc::Address> usableAddress(const BareMetalHost& host) {
  if (host.spec.bmc.address.empty()) return std::nullopt;
  try {
    return bmc::parseAddress(host.spec.bmc.address);
  } catch (const bmc::AddressError&) {
    return std::nullopt;
  }
}

void bmcAddress(const BareMetalHost& host, Errors& errors) {
  if (host.spec.bmc.address.empty()) return;
  try {
    (void)bmc::parseAddress(host.spec.bmc.address);
  } catch (const bmc::AddressError& e) {
    errors.emplace_back(e.what());
  }
}

// Upstream asks this twice, so a bad host name is reported twice.
void bmcHost(const BareMetalHost& host, Errors& errors) {
  if (host.spec.bmc.address.empty()) return;
  try {
    bmc::checkAddressHost(host.spec.bmc.address);
  } catch (const bmc::AddressError& e) {
    errors.emplace_back(e.what());
  }
}

void driver(const BareMetalHost& host, Errors& errors) {
  const auto address = usableAddress(host);
  if (!address) return;
  const bmc::Traits& traits = address->traits();
  const auto& spec = host.spec;
  const std::string subject = "BMC driver " + address->type;

  const auto* hardwareVolumes =
      spec.raid && spec.raid->hardwareRAIDVolumes ? &*spec.raid->hardwareRAIDVolumes : nullptr;
  if (hardwareVolumes && !hardwareVolumes->empty() && !traits.raid)
    errors.push_back(subject + " does not support configuring RAID");
  if ((traits.needsBootMac || host.inspectionDisabled()) && spec.bootMACAddress.empty())
    errors.push_back(subject + " requires a BootMACAddress value");
  if (!spec.bootMACAddress.empty() && !bmc::looksLikeHardwareAddress(spec.bootMACAddress))
    errors.push_back("address " + spec.bootMACAddress + ": invalid MAC address");
  if (spec.bootMode == "UEFISecureBoot" && !traits.secureBoot)
    errors.push_back(subject + " does not support secure boot");
}

void inspection(const BareMetalHost& host, Errors& errors) {
  const std::string& mode = host.spec.inspectionMode;
  const std::string* annotation = host.metadata.annotation("inspect.metal3.io");
  if (annotation && !annotation->empty() && !mode.empty() && (*annotation == "disabled") != (mode == "disabled")) {
    errors.emplace_back("inspect.metal3.io annotation and inspectionMode field have contradicting values");
    return;
  }
  if (!mode.empty() && mode != "disabled" && mode != "agent" && mode != "fast")
    errors.push_back("invalid inspectionMode value: " + mode + ", allowed values are 'disabled', 'agent', or 'fast'");
  if (mode != "fast") return;
  const auto address = usableAddress(host);
  if (address && !address->traits().outOfBandInspection)
    errors.push_back("BMC driver " + address->type + " does not support fast (out-of-band) inspection");
}

}  // namespace ingot::api::rules
