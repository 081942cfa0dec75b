// A host made ready to boot from something else, in the order in which BMCs take it (spec/bmc.md §8.5).
#pragma once

#include "bmc/driver.hpp"

namespace ingot::bmc {

// The power stays as it is. Throws what the driver throws; may be repeated after any failure.
[[nodiscard]] base::Task<BootLasts> prepareBoot(Driver& driver, Lane lane, BootPlan plan, WritePermit permit);

}  // namespace ingot::bmc
