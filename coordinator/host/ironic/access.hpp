// How Ironic reaches a BMC: driver, interfaces and driver_info per address scheme (spec/ironic.md §4.2, §4.3). Pure.
#pragma once

#include "bmc/model/address.hpp"
#include "coordinator/host/ironic/settings.hpp"
#include "coordinator/host/provisioner.hpp"
#include "json/value.hpp"

#include <string_view>

namespace ingot::coordinator::host::ironic_backend {

// Empty: left to Ironic's default for the driver.
struct Access {
  std::string_view driver, boot, bios, firmware, management, power, raid, vendor;
  std::string_view fastInspect;  // for inspectionMode fast; empty: there is none
};

[[nodiscard]] const Access& accessOf(bmc::Scheme scheme);

// A tear-down empties the machine's virtual drives with this boot interface, which boots from them itself.
[[nodiscard]] bool emptiesDrives(std::string_view bootInterface);

// Exactly the keys that Metal3 gives.
[[nodiscard]] json::Object driverInfo(const bmc::Address& address, const Credentials& credentials,
                                      bool disableCertificateVerification);

// Where an IPv6 BMC fetches images from (§5.5); no change for any other.
void addExternalUrl(json::Object& driverInfo, const bmc::Address& address, const Settings& settings);

// A key of ours that is no secret differs: the node must be told. (Secrets read back masked: they cannot be compared.)
[[nodiscard]] bool accessDiffers(const json::Object& wanted, const json::Object& now);

// The BMC that a node's record names is not the wanted one: what is done to that node is done to another machine.
// A record that names none is nobody's.
[[nodiscard]] bool leadsElsewhere(const json::Object& wanted, const json::Object& now);

// "" when Ironic can log in with these, else the text for the user.
[[nodiscard]] std::string problemWith(const Credentials& credentials);

// "agent", or the driver's own for fast inspection.
[[nodiscard]] std::string inspectInterface(const Access& access, bool fast);

}  // namespace ingot::coordinator::host::ironic_backend
