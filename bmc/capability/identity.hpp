// Whose BMC it is, and of which machine.
#pragma once

#include "base/task.hpp"
#include "bmc/error.hpp"
#include "bmc/lane.hpp"
#include "bmc/model/capability.hpp"

#include <string>

namespace ingot::bmc {

// What the BMC says of itself and of the machine; empty where it says nothing.
struct Identity {
  std::string vendor;  // normalised, lower case: "dell", "hpe", …; empty when unknown
  std::string manufacturer, model, serialNumber, systemUuid;
  std::string bmcFirmware;

  friend bool operator==(const Identity&, const Identity&) = default;
};

class IdentitySource {
 public:
  static constexpr auto capability = Capability::identity;
  virtual ~IdentitySource() = default;

  // Proves address, certificate and credentials. Throws Error.
  [[nodiscard]] virtual base::Task<Identity> identify(Lane lane) = 0;
};

}  // namespace ingot::bmc
