// How an iDRAC is told to boot from its virtual CD where the boot override of Redfish leads to the disk: by the import
// of a server profile with two attributes of the iDRAC in it (spec/bmc.md §8.5).
#pragma once

#include "bmc/redfish/connection.hpp"
#include "bmc/write_permit.hpp"

namespace ingot::bmc::redfish {

// For the next boot. Throws Error{unsupported} where the manager knows no import, Error{busy} while another job or a
// pending configuration is in its way.
[[nodiscard]] base::Task<void> bootFromCdByImport(base::Clock& clock, Connection& connection, Lane lane,
                                                  std::string systemPath, WritePermit permit);

// The profile. Pure.
[[nodiscard]] std::string cdBootProfile(std::string_view managerId);

}  // namespace ingot::bmc::redfish
