// What a host's BMC may be able to do, and what of it the protocol of its address has (spec/bmc.md §15). Whether this
// very BMC does it is another matter: it says so when it is asked.
#pragma once

#include "bmc/model/address.hpp"

#include <array>
#include <string>
#include <string_view>

namespace ingot::bmc {

enum class Capability {
  power,
  identity,
  health,
  inventory,
  sensors,
  logs,
  boot,  // what the host boots from
  media,
  events,  // that the BMC pushes
  erasure,
  cleaning,  // steps of it beside the erasure
};

inline constexpr std::array everyCapability{Capability::power,     Capability::identity, Capability::health,
                                            Capability::inventory, Capability::sensors,  Capability::logs,
                                            Capability::boot,      Capability::media,    Capability::events,
                                            Capability::erasure,   Capability::cleaning};

[[nodiscard]] std::string_view toText(Capability capability);  // for people: "virtual media"
[[nodiscard]] bool has(Protocol protocol, Capability capability);
// For people: "power, identity, …"; those that the protocol has, or has not.
[[nodiscard]] std::string capabilitiesOf(Protocol protocol);
[[nodiscard]] std::string missingIn(Protocol protocol);

}  // namespace ingot::bmc
