#include "bmc/boot_preparation.hpp"

#include "bmc/power_change.hpp"

namespace ingot::bmc {

namespace {

// One that runs would have its image taken away, or would have begun to boot from something else.
base::Task<void> requireOff(Driver& driver, Lane lane) {
  const auto reading = co_await driver.readPower(lane);
  if (isTransitional(reading))
    throw Error(Error::Code::busy, fmt::format("the host is on its way: the BMC says {}", reading.raw));
  if (reading.power != Power::off)
    throw Error(Error::Code::busy, fmt::format("the host is to be off for this, and the BMC says {}",
                                               reading.raw.empty() ? toText(reading.power) : reading.raw));
}

}  // namespace

base::Task<BootLasts> prepareBoot(Driver& driver, Lane lane, BootPlan plan, WritePermit permit) {
  if (plan.whileOff) co_await requireOff(driver, lane);
  const bool isThere = plan.mayStay && !plan.image.empty() && co_await driver.insertedMedia(lane) == plan.image;
  if (plan.image.empty())
    co_await driver.ejectMedia(lane, permit);
  else if (!isThere)
    co_await driver.insertMedia(lane, plan.image, permit);
  const auto lasts = co_await driver.setBoot(lane, plan.setting, std::move(permit));
  if (plan.whileOff) co_await requireOff(driver, lane);
  co_return lasts;
}

}  // namespace ingot::bmc
