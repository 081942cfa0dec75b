#include "coordinator/host/power.hpp"

#include "api/bmh/annotations.hpp"
#include "api/bmh/names.hpp"
#include "coordinator/host/conditions.hpp"
#include "coordinator/host/power_plan.hpp"
#include "coordinator/host/power_watchdog.hpp"
#include "coordinator/host/retry.hpp"

namespace ingot::coordinator::host {
namespace {

constexpr base::Duration unknownPowerDelay = std::chrono::seconds(10);

Step recordSeen(Scope& s, bool on) {
  s.log.info("updating power status", {{"poweredOn", on}});
  s.host.status.poweredOn = on;
  if (failedWith(s.host, ErrorType::powerManagement)) clearError(s.host);
  return Stay{atOnce};
}

// Power is as wanted: a power error and the count of failures are over.
Step settled(Scope& s) {
  if (failedWith(s.host, ErrorType::powerManagement) || failedWith(s.host, ErrorType::provisionedRegistration)) {
    clearError(s.host);
  }
  if (s.host.status.errorType.empty()) s.host.status.errorCount = 0;
  return Stay{steadyPollDelay};
}

// The power change that failed is not wanted any more, so the failure is cleared.
Step forgive(Scope& s) {
  clearError(s.host);
  s.host.status.errorCount = 0;
  return Stay{atOnce};
}

Step dropReboot(Scope& s) {
  s.host.metadata.annotations.erase(std::string(api::annotation::reboot));
  return Stay{atOnce};
}

void countChange(Scope& s, bool on) {
  s.journal.count([name = s.name(), on](Metrics& m) { m.powerChange(name, on); });
}

// The change is proved by a reading of whoever made it.
Step done(Scope& s, bool on) {
  s.host.status.poweredOn = on;
  s.host.status.errorCount = 0;
  if (failedWith(s.host, ErrorType::powerManagement)) clearError(s.host);
  return Stay{atOnce};
}

Step changing(Scope& s, bool on, const Working& work) {
  countChange(s, on);
  if (work.errorStands && failedWith(s.host, ErrorType::powerManagement)) return Stay{work.after};
  return working(s, work);
}

// Whether a restart is still wanted is known only from its annotation and from a power that is known and on record.
// Until then, and until the annotation is removed, the answer to the last restart may be needed again.
bool needsNoRestart(const PowerPlan& plan) {
  switch (plan.move) {
    case PowerMove::wait:
    case PowerMove::record:
    case PowerMove::dropReboot: return false;
    case PowerMove::none:
    case PowerMove::turnOn:
    case PowerMove::turnOff:
    case PowerMove::refuse: return !plan.rebooting;
  }
  return false;
}

// A change that only waits has not been tried, so the operating system is still asked to shut down first.
bool wasRefused(const api::BareMetalHost& host) {
  return failedWith(host, ErrorType::powerManagement) && !onlyWaits(host);
}

base::Task<Step> turnOn(Scope& s) {
  s.log.info("power state change needed", {{"expected", true}});
  const bool failedBefore = wasRefused(s.host);
  const Progress progress = co_await s.power.turnOn(poweredHost(s.host), s.backend, {.force = failedBefore});
  if (const auto* refused = std::get_if<Refused>(&progress))
    co_return Fail{ErrorType::powerManagement, refused->message, refused->retryAfter};
  if (const auto* work = std::get_if<Working>(&progress)) co_return changing(s, true, *work);
  co_return done(s, true);
}

// True when a restart in place of a power-off has been asked for, however it ends. One that was refused has not.
bool restartAsked(const Progress& progress) {
  const auto* work = std::get_if<Working>(&progress);
  return work != nullptr ? work->started : std::holds_alternative<Done>(progress);
}

base::Task<Step> turnOff(Scope& s, PowerPlan plan) {
  s.log.info("power state change needed", {{"expected", false}, {"reboot", plan.rebooting}});
  const bool failedBefore = wasRefused(s.host);
  co_await s.cluster.confirm(s.host);
  const Progress progress = co_await s.power.turnOff(poweredHost(s.host), s.backend, {plan.mode, failedBefore});

  const bool reboots = s.host.spec.disablePowerOff && isAnnotated(s.host, api::annotation::reboot);
  if (reboots && restartAsked(progress)) {  // a reboot is done in place of the power-off
    s.journal.onceSaved([&power = s.power, host = poweredHost(s.host)] { power.restartRecorded(host); });
    co_return dropReboot(s);
  }
  if (const auto* refused = std::get_if<Refused>(&progress)) {
    const bool softFailed = plan.mode == RebootMode::soft && !failedBefore && !onlyWaits(refused->message);
    co_return Fail{ErrorType::powerManagement,
                   (softFailed ? "Continuing with hard poweroff after soft poweroff fails. More details: " : "") +
                       refused->message,
                   refused->retryAfter};
  }
  if (const auto* work = std::get_if<Working>(&progress)) co_return changing(s, false, *work);
  if (s.host.spec.disablePowerOff) co_return Stay{steadyPollDelay};  // rebooted: it is still on
  co_return done(s, false);
}

}  // namespace

base::Task<PowerReading> notePower(Scope& s) {
  const PowerReading reading = co_await s.power.read(poweredHost(s.host), s.backend);
  notePowerKnown(s.host, reading.on.has_value(), reading.why, s.now);
  s.powerRead = true;
  co_return reading;
}

base::Task<Step> managePower(Scope& s, State state) {
  const PowerReading reading = co_await notePower(s);
  const PowerPlan plan = planPower(s.host, state, reading.on);
  if (refusesOff(s.host) && plan.move != PowerMove::refuse) co_return forgive(s);
  if (needsNoRestart(plan)) s.power.restartRecorded(poweredHost(s.host));
  switch (plan.move) {
    case PowerMove::wait: co_return Stay{unknownPowerDelay};
    case PowerMove::record: co_return recordSeen(s, *reading.on);
    case PowerMove::dropReboot: co_return dropReboot(s);
    case PowerMove::none: co_return settled(s);
    case PowerMove::turnOn: co_return co_await turnOn(s);
    case PowerMove::turnOff: co_return co_await turnOff(s, plan);
    case PowerMove::refuse: co_return Fail{ErrorType::powerManagement, plan.why, steadyPollDelay};
  }
  co_return Stay{steadyPollDelay};
}

}  // namespace ingot::coordinator::host
