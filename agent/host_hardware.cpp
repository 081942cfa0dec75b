// The hardware of a host, read now and then, and when there is a reason to look (spec/bmc.md §19.2).
#include "agent/host_observed.hpp"

#include "base/milliseconds.hpp"

namespace ingot::agent {

namespace {

constexpr base::Duration settles = std::chrono::minutes(5);       // before that, the BMC knows the hardware of before
constexpr base::Duration afterHealth = std::chrono::seconds(30);  // which part it is of
constexpr base::Duration againForTheRest = std::chrono::hours(1);
constexpr base::Duration leastInterval = std::chrono::minutes(1);

constexpr std::string_view running = "OSRunning";  // of bootProgress

bool isKnown(bmc::Health health) { return health != bmc::Health::unknown; }

}  // namespace

// Of a host that is off many BMCs tell little, or what was there before.
bool HostSession::isHardwareDue() const {
  const auto now = runtime_.clock.now();
  return observed_->power.power == bmc::Power::on && now >= observed_->settledAt && now >= observed_->hardwareDueAt &&
         !isWriting() && !erasing_;
}

base::Task<base::Duration> HostSession::readHardware(std::shared_ptr<bmc::Driver> driver) {
  const auto [term, lease] = std::pair(lease_.grant().term, lease_.grant().lease);
  const auto asked = runtime_.clock.now();
  const auto dueBefore = observed_->hardwareDueAt;
  auto inventory = co_await driver->readInventory(bmc::Lane::background);
  const bool isOfOne = driver == driver_ && observed_->power.power == bmc::Power::on;
  if (!isOfOne) co_return base::Duration{};
  const auto interval = inventory.unread.empty()
                            ? std::max(base::fromMilliseconds(grant_.inventoryPollMs), leastInterval)
                            : againForTheRest;
  // A reason to look that came meanwhile stands.
  if (observed_->hardwareDueAt == dueBefore) observed_->hardwareDueAt = asked + pace_.pauseAfter(interval);
  report_(wire::HardwareFacts{
      .host = grant_.host, .term = term, .lease = lease, .ageMs = ageMs(asked), .inventory = std::move(inventory)});
  co_return base::Duration{};
}

// Somebody may have opened the machine, a part may have failed, or nobody knows what is in it.
void HostSession::hardwareMayDiffer(base::Duration within) {
  const auto spread = std::chrono::duration_cast<base::Duration>(within * runtime_.random.unit());
  const auto at = runtime_.clock.now() + spread;
  auto& due = observed_->hardwareDueAt;
  due = due == base::MonoTime{} ? at : std::min(due, at);
}

void HostSession::noteRestart() {
  observed_->settledAt = runtime_.clock.now() + settles;
  hardwareMayDiffer({});
}

void HostSession::noteChanges(const bmc::PowerReading& reading) {
  const auto& before = observed_->power;
  const bool isSwitchedOn = reading.power == bmc::Power::on && observed_->powerAt && before.power == bmc::Power::off;
  const bool bootsAnew =
      before.bootProgress == running && !reading.bootProgress.empty() && reading.bootProgress != running;
  if (isSwitchedOn || bootsAnew) noteRestart();
  const bool isJudgedAnew =
      reading.health && isKnown(*reading.health) && isKnown(observed_->health) && *reading.health != observed_->health;
  if (isJudgedAnew) hardwareMayDiffer(afterHealth);
}

}  // namespace ingot::agent
