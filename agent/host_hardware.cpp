// The hardware of a host, read now and then, and when there is a reason to look (spec/bmc.md §19.2).
#include "agent/host_observed.hpp"

#include "base/milliseconds.hpp"
#include "bmc/capability/inventory.hpp"

namespace ingot::agent {

namespace {

constexpr base::Duration settles = std::chrono::minutes(5);         // before that, the BMC knows the hardware of before
constexpr base::Duration settlesAtMost = std::chrono::minutes(20);  // of one that never comes up: a part may be why
constexpr base::Duration longSilence = std::chrono::minutes(1);
constexpr base::Duration leastBetweenReasons = std::chrono::minutes(10);
constexpr base::Duration afterHealth = std::chrono::seconds(30);  // which part it is of
constexpr base::Duration againForTheRest = std::chrono::hours(1);
constexpr base::Duration leastInterval = std::chrono::minutes(1);

constexpr std::string_view running = "OSRunning";  // of bootProgress

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
  const int reasons = observed_->reasonsToRead;
  observed_->hardwareAt = asked;
  auto inventory = co_await driver->inventory->readInventory(bmc::Lane::background);
  const bool isOfOne = driver == driver_ && observed_->power.power == bmc::Power::on && observed_->settledAt <= asked &&
                       !isWriting() && !erasing_;
  if (!isOfOne) co_return base::Duration{};
  const bool mayTellMore = !inventory.unread.empty() && inventory.unread != observed_->hardwareUnread;
  const auto interval = std::max(base::fromMilliseconds(grant_.inventoryPollMs), leastInterval);
  if (observed_->reasonsToRead == reasons)
    observed_->hardwareDueAt = asked + pace_.pauseAfter(mayTellMore ? std::min(againForTheRest, interval) : interval);
  observed_->hardwareUnread = inventory.unread;
  report_(wire::HardwareFacts{
      .host = grant_.host, .term = term, .lease = lease, .ageMs = ageMs(asked), .inventory = std::move(inventory)});
  co_return base::Duration{};
}

// Somebody may have opened the machine, a part may have failed, or nobody knows what is in it.
void HostSession::hardwareMayDiffer(base::Duration within) {
  const auto spread = std::chrono::duration_cast<base::Duration>(within * runtime_.random.unit());
  auto at = runtime_.clock.now() + spread;
  if (observed_->hardwareAt) at = std::max(at, *observed_->hardwareAt + leastBetweenReasons);
  auto& due = observed_->hardwareDueAt;
  due = observed_->reasonsToRead++ == 0 ? at : std::min(due, at);
}

void HostSession::noteRestart() {
  const auto now = runtime_.clock.now();
  if (now >= observed_->settledAt + settles) observed_->settlesSince = now;
  observed_->settledAt = std::min(now + settles, observed_->settlesSince + settlesAtMost);
  hardwareMayDiffer({});
}

void HostSession::noteRestartIn(const bmc::PowerReading& reading) {
  const bool isSwitchedOn =
      reading.power == bmc::Power::on && observed_->powerAt && observed_->power.power == bmc::Power::off;
  // Its cords were pulled, maybe.
  const bool wasSilent =
      observed_->powerAt && !observed_->errorCode.empty() && reading.asked - *observed_->powerAt > longSilence;
  bool bootsAnew = false;
  if (!reading.bootProgress.empty()) {  // between two of them a BMC may tell none
    const auto before = std::exchange(observed_->bootedTo, reading.bootProgress);
    bootsAnew = (before.empty() || before == running) && reading.bootProgress != running;
  }
  if (isSwitchedOn || wasSilent || bootsAnew) noteRestart();
}

bool HostSession::noteHealth(bmc::Health ofBmc, base::MonoTime asked) {
  const auto raised = observed_->raised.worst(runtime_.clock.now());
  // That its parts are well makes no host well of which the BMC says nothing.
  const auto health = raised > bmc::Health::ok ? std::max(ofBmc, raised) : ofBmc;
  observed_->ofBmc = ofBmc;
  const bool isAnother = std::exchange(observed_->health, health) != health;
  observed_->healthAt = asked;
  if (health == bmc::Health::unknown) return isAnother;
  const auto before = std::exchange(observed_->judged, health);
  if (before != bmc::Health::unknown && before != health) hardwareMayDiffer(afterHealth);
  return isAnother;
}

}  // namespace ingot::agent
