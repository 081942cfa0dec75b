// All capabilities of a host, one after the other.
#pragma once

#include "bmc/capability/boot.hpp"
#include "bmc/capability/cleaning.hpp"
#include "bmc/capability/erasure.hpp"
#include "bmc/capability/events.hpp"
#include "bmc/capability/health.hpp"
#include "bmc/capability/identity.hpp"
#include "bmc/capability/inventory.hpp"
#include "bmc/capability/logs.hpp"
#include "bmc/capability/media.hpp"
#include "bmc/capability/power.hpp"
#include "bmc/capability/sensors.hpp"
#include "bmc/driver.hpp"

#include <type_traits>

namespace ingot::bmc {

// `all`: Capabilities. `visit` takes an Offered of each. A capability more does not compile until it is listed here.
template <class All, class Visit>
  requires std::same_as<std::remove_const_t<All>, Capabilities>
void eachCapability(All& all, Visit visit) {
  auto& [power, identity, health, inventory, sensors, logs, boot, media, events, erasure, cleaning] = all;
  const auto visitEach = [&](auto&... each) { (visit(each), ...); };
  visitEach(power, identity, health, inventory, sensors, logs, boot, media, events, erasure, cleaning);
}

}  // namespace ingot::bmc
