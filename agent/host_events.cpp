// What the BMC of a host pushes: it tells when to read the host, and is no fact itself (spec/bmc.md §13.2).
#include "agent/host_observed.hpp"
#include "base/pace.hpp"

namespace ingot::agent {

namespace {

constexpr base::Duration untilFollowed = std::chrono::seconds(15);  // after power and identity
constexpr base::Duration untilRead = std::chrono::seconds(10);      // a BMC that is not read now may be soon
constexpr base::Duration untilOpenedAgain = std::chrono::seconds(10);
constexpr base::Duration whereItEndsSoon = std::chrono::minutes(10);  // or has too many streams
constexpr base::Duration worthOpening = std::chrono::minutes(1);
// A sensor that flaps makes the host no more often read than it is without events.
constexpr base::Duration eventsHeeded = std::chrono::seconds(5);
constexpr unsigned eventsAtOnce = 4;

}  // namespace

base::Task<void> HostSession::followEvents() {
  const PollPace pace(runtime_);
  co_await runtime_.clock.sleepFor(pace.pauseAfter(untilFollowed));
  while (true) {
    const auto driver = driver_;
    // Whether the BMC answers at all is for the power polls to tell.
    const bool isRead = driver && observed_->powerAt && observed_->errorCode.empty();
    const auto pause = isRead ? co_await followOnce(driver) : untilRead;
    co_await runtime_.clock.sleepFor(pace.pauseAfter(pause));
  }
}

// How long the next attempt waits.
base::Task<base::Duration> HostSession::followOnce(std::shared_ptr<bmc::Driver> driver) {
  const auto begun = runtime_.clock.now();
  eventsFollow_ = std::make_unique<base::AbortSource>();
  auto pause = whereItEndsSoon;
  try {
    co_await eventsFollow_->run(driver->followEvents(bmc::Lane::background, [this](bmc::EventNews) {
      isPushed_ = hasEvent_ = true;
      eventAt_ = runtime_.clock.now();
      pushed_.notifyAll();
    }));
    if (runtime_.clock.now() - begun >= worthOpening) pause = untilOpenedAgain;
  } catch (const base::Cancelled&) {
    if (!eventsFollow_->aborted()) throw;
    pause = untilRead;  // another BMC
  } catch (const bmc::Error& error) {
    if (error.code() != bmc::Error::Code::busy && error.origin() == bmc::Error::Origin::bmc) pause = whereThereIsNone;
    runtime_.log.debug("events are not followed", {{"host", grant_.name}, {"why", error.what()}});
  } catch (const std::exception& error) {  // nothing that a BMC can do
    pause = whereThereIsNone;
    runtime_.log.warn("events are not followed", {{"host", grant_.name}, {"why", error.what()}});
  }
  isPushed_ = false;
  co_return pause;
}

base::Task<void> HostSession::heedEvents() {
  base::Pace pace(eventsHeeded, eventsAtOnce);
  while (true) {
    while (!hasEvent_) co_await pushed_.wait();
    co_await runtime_.clock.sleepUntil(pace.take(runtime_.clock.now()));
    hasEvent_ = false;
    pollNow_ = true;
    wake_.notifyAll();
  }
}

// Waits for `time`; where the BMC has pushed an event after `since`, or does so meanwhile, for no more than
// `notBefore`.
base::Task<void> HostSession::untilEventOr(base::MonoTime time, base::MonoTime since, base::MonoTime notBefore) {
  const bool isPushed = eventAt_ > since || co_await pushed_.waitUntil(runtime_.clock, time);
  if (isPushed) co_await runtime_.clock.sleepUntil(std::min(time, notBefore));
}

}  // namespace ingot::agent
