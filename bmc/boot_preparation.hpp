// A host made ready to boot from something else, in the order in which BMCs take it (spec/bmc.md §8.5).
#pragma once

#include "bmc/capability/boot.hpp"
#include "bmc/capability/media.hpp"
#include "bmc/capability/power.hpp"
#include "bmc/driver.hpp"

namespace ingot::bmc {

// What it takes of a host; outlives the preparation.
struct BootTools {
  PowerControl& power;
  BootControl& boot;
  const Offered<MediaControl>& media;  // a host without boots from no image, and has none to take away
};

// The power stays as it is. Throws what the host throws; may be repeated after any failure.
[[nodiscard]] base::Task<BootLasts> prepareBoot(BootTools host, Lane lane, BootPlan plan, WritePermit permit);

}  // namespace ingot::bmc
