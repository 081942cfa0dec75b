#include "bmc/boot_preparation.hpp"

#include "bmc/power_change.hpp"

namespace ingot::bmc {

namespace {

// One that runs would have its image taken away, or would have begun to boot from something else.
base::Task<void> requireOff(PowerControl& power, Lane lane) {
  const auto reading = co_await power.readPower(lane);
  if (isTransitional(reading))
    throw Error(Error::Code::busy, fmt::format("the host is on its way: the BMC says {}", reading.raw));
  if (reading.power != Power::off)
    throw Error(Error::Code::busy, fmt::format("the host is to be off for this, and the BMC says {}",
                                               reading.raw.empty() ? toText(reading.power) : reading.raw));
}

// A host whose drives are not its own has had no image put in.
base::Task<void> ejectOwn(MediaControl& media, Lane lane, WritePermit permit) {
  try {
    co_await media.ejectMedia(lane, std::move(permit));
  } catch (const Error& error) {
    if (error.code() != Error::Code::unsupported) throw;
  }
}

}  // namespace

base::Task<BootLasts> prepareBoot(BootTools host, Lane lane, BootPlan plan, WritePermit permit) {
  if (plan.whileOff) co_await requireOff(host.power, lane);
  if (plan.image.empty()) {
    if (host.media) co_await ejectOwn(*host.media, lane, permit);
  } else {
    const bool isThere = plan.mayStay && co_await host.media->insertedMedia(lane) == plan.image;
    if (!isThere) co_await host.media->insertMedia(lane, plan.image, permit);
  }
  const auto lasts = co_await host.boot.setBoot(lane, plan.setting, std::move(permit));
  if (plan.whileOff) co_await requireOff(host.power, lane);
  co_return lasts;
}

}  // namespace ingot::bmc
