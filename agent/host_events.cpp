// What the BMC of a host pushes: it tells when to read the host, and is no fact itself (spec/bmc.md §13.2,
// docs/decisions/0023).
#include "agent/host_observed.hpp"
#include "base/milliseconds.hpp"
#include "base/pace.hpp"
#include "bmc/capability/events.hpp"

namespace ingot::agent {

namespace {

constexpr base::Duration untilFollowed = std::chrono::seconds(15);  // after power and identity
constexpr base::Duration untilAllAreFollowed = std::chrono::seconds(45);
constexpr base::Duration untilRead = std::chrono::seconds(10);  // a BMC that is not read now may be soon
constexpr base::Duration untilOpenedAgain = std::chrono::seconds(10);
constexpr base::Duration worthOpening = std::chrono::minutes(1);
constexpr base::Duration whereItFailed = std::chrono::minutes(1);   // a BMC that starts anew does so once
constexpr base::Duration whereItIsFull = std::chrono::minutes(10);  // or ends what it opens at once
constexpr base::Duration leastHeeded = std::chrono::seconds(5), mostHeeded = std::chrono::seconds(30);
constexpr unsigned eventsAtOnce = 4;

}  // namespace

base::Task<void> HostSession::followEvents() {
  const PollPace pace(runtime_);
  int failures = 0;  // in a row
  // Not all hosts of an agent that starts at a time.
  const auto spread = std::chrono::duration_cast<base::Duration>(untilAllAreFollowed * runtime_.random.unit());
  co_await runtime_.clock.sleepFor(untilFollowed + spread);
  while (true) {
    // Whether the BMC answers at all is for the power polls to tell.
    const bool isRead = driver_ && observed_->powerAt && observed_->errorCode.empty();
    if (!isRead) failures = 0;  // it starts anew, perhaps
    const auto pause = isRead ? co_await followOnce(driver_, failures) : untilRead;
    co_await accessed_.waitUntil(runtime_.clock, runtime_.clock.now() + pace.pauseAfter(pause));
  }
}

// How long the next attempt waits.
base::Task<base::Duration> HostSession::followOnce(std::shared_ptr<bmc::Driver> driver, int& failures) {
  if (!driver->events) co_return whereThereIsNone;  // openBmc() has said so
  eventsFollow_ = std::make_unique<base::AbortSource>();
  base::Duration stood{};
  auto pause = whereThereIsNone;
  try {
    co_await eventsFollow_->run(following(driver, [this](bmc::EventNews) { takeEvent(); }, stood));
    failures = 0;
    eventsState_ = EventsState::notYet;
    pause = stood >= worthOpening ? untilOpenedAgain : whereItIsFull;
  } catch (const base::Cancelled&) {
    if (!eventsFollow_->aborted()) throw;
  } catch (const bmc::Error& error) {
    runtime_.log.debug("events are not followed", {{"host", grant_.name}, {"why", error.what()}});
    pause = pauseAfter(error, failures);
  } catch (const std::exception& error) {  // nothing that a BMC can do
    runtime_.log.warn("events are not followed", {{"host", grant_.name}, {"why", error.what()}});
    eventsState_ = EventsState::failing;
  }
  if (!eventsFollow_->aborted()) co_return pause;
  failures = 0;  // of another BMC
  eventsState_ = EventsState::notYet;
  co_return untilRead;
}

base::Task<void> HostSession::following(std::shared_ptr<bmc::Driver> driver, bmc::OnEvent onEvent,
                                        base::Duration& stood) {
  stood = co_await driver->events->followEvents(bmc::Lane::background, std::move(onEvent));
}

base::Duration HostSession::pauseAfter(const bmc::Error& error, int& failures) {
  using Code = bmc::Error::Code;
  if (error.origin() != bmc::Error::Origin::bmc) {
    eventsState_ = EventsState::failing;
    return whereItFailed;
  }
  failures = isSilence(error.code()) ? failures + 1 : 0;
  switch (error.code()) {
    case Code::unsupported: eventsState_ = EventsState::none; return whereThereIsNone;
    case Code::busy: eventsState_ = EventsState::full; return whereItIsFull;
    case Code::unreachable:
    case Code::timeout: eventsState_ = EventsState::failing; return failures > 1 ? whereThereIsNone : whereItFailed;
    default: eventsState_ = EventsState::refused; return whereThereIsNone;
  }
}

void HostSession::takeEvent() {
  eventsState_ = EventsState::open;
  hasEvent_ = true;
  eventAt_ = runtime_.clock.now();
  pushed_.notifyAll();
}

// One poll answers all events that come before it is sent, and those that come later are answered by one more. In a
// storm a host is no more often read for events than it is polled, or than each half minute.
base::Task<void> HostSession::heedEvents() {
  const base::Duration polled = base::fromMilliseconds(grant_.powerPollMs);
  base::Pace pace(std::clamp(polled, leastHeeded, mostHeeded), eventsAtOnce);
  while (true) {
    while (!hasEvent_) co_await pushed_.wait();
    co_await runtime_.clock.sleepUntil(pace.take(runtime_.clock.now()));
    hasEvent_ = false;
    pollNow_ = true;
    wake_.notifyAll();
    co_await polled_.wait();
  }
}

// Waits for `time`; where the BMC has pushed an event after `since`, or does so meanwhile, for no more than
// `notBefore`.
base::Task<void> HostSession::untilEventOr(base::MonoTime time, base::MonoTime since, base::MonoTime notBefore) {
  const bool isPushed = eventAt_ > since || co_await pushed_.waitUntil(runtime_.clock, time);
  if (isPushed) co_await runtime_.clock.sleepUntil(std::min(time, notBefore));
}

}  // namespace ingot::agent
