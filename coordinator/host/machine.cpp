#include "coordinator/host/machine.hpp"

#include "coordinator/host/apply.hpp"
#include "coordinator/host/conditions.hpp"
#include "coordinator/host/deletion.hpp"
#include "coordinator/host/detachment.hpp"
#include "coordinator/host/intent.hpp"
#include "coordinator/host/leaving.hpp"
#include "coordinator/host/one_shots.hpp"
#include "coordinator/host/states/states.hpp"
#include "coordinator/host/table.hpp"

namespace ingot::coordinator::host {
namespace {

base::Task<bool> acquireSlot(Scope& s) {
  try {
    co_return co_await s.backend.acquireSlot();
  } catch (const ProvisionerError& error) {
    throw ProvisionerError(error.code(),
                           fmt::format("failed to determine current provisioner capacity: {}", error.what()));
  }
}

// The deletion of a host whose BMC is lost needs no slot, because nothing boots a ramdisk on that machine.
base::Task<bool> mayWork(Scope& s) {
  if (co_await acquireSlot(s)) co_return true;
  co_return beingDeleted(s.host) && co_await s.power.hasFailure(poweredHost(s.host), s.backend);
}

// For a host that is being deleted the state that the deletion leads to counts, not the one that the host waited for.
bool needsSlot(const api::BareMetalHost& host, State state, bool delayed) {
  if (!delayed && !rowOf(state).takesSlot) return false;
  return !beingDeleted(host) || rowOf(deletionTarget(host, state).value_or(state)).takesSlot;
}

// A host that waited for a slot, or lost its own with the backend's memory, goes on only once it has one.
base::Task<std::optional<Step>> awaitSlot(Scope& s, State state) {
  const bool delayed = s.host.status.operationalStatus == api::operational_status::delayed;
  if (needsSlot(s.host, state, delayed) && !co_await mayWork(s)) co_return NoSlot{state};
  if (!delayed) co_return std::nullopt;
  // The wait for a slot says nothing about an earlier error, so the state's own work goes on from that error.
  auto& status = s.host.status;
  status.operationalStatus = status.errorType.empty() ? api::operational_status::ok : api::operational_status::error;
  co_return Stay{atOnce};
}

base::Task<Step> admitted(Scope& s, Step step) {
  const auto* go = std::get_if<Goto>(&step);
  if (go == nullptr || !rowOf(go->to).takesSlot) co_return step;
  if (!co_await mayWork(s)) co_return NoSlot{go->to};
  co_return step;
}

// The state's work, or what comes after it when a deletion has insisted on it long enough.
base::Task<Step> work(Scope& s, State state, bool mayRegister) {
  std::optional<Step> step;
  std::optional<ProvisionerError> failure;
  try {
    step = co_await rowOf(state).handler(s);
  } catch (const ProvisionerError& error) {
    failure = error;
  }
  const auto instead = giveUp(s.host, mayRegister, step ? &*step : nullptr, failure ? &*failure : nullptr);
  if (instead) {
    const auto* shown = step ? std::get_if<Fail>(&*step) : nullptr;
    tellGivenUp(s, state, instead->to, shown != nullptr ? shown->message : failure ? failure->what() : "");
    co_return *instead;
  }
  if (failure) throw *failure;
  co_return *step;
}

// Sends a host that is being deleted on its way. When it cannot be registered any more, each step of the way ends at
// once, except what needs no registration.
base::Task<Step> leave(Scope& s, State state, State next) {
  if (onTheWayOut(state) && !keptOutOfReach(s.host)) {
    if (state == State::poweringOffBeforeDelete) {
      if (auto step = co_await states::switchOffUnregistered(s)) co_return *step;
    }
    tellGivenUp(s, state, next, s.host.status.errorMessage);
  }
  co_return co_await admitted(s, Goto{next});
}

base::Task<Registration> registered(Scope& s) {
  Try tried;
  try {
    tried.step = co_await ensureRegistered(s);
  } catch (const ProvisionerError& error) {
    tried.failure = error;
  }
  if (!isLeaving(s.host)) co_return Registration{std::move(tried)};
  co_return registrationWithinPatience(s, std::move(tried));
}

base::Task<Step> advance(Scope& s, State state) {
  if (auto wait = co_await awaitSlot(s, state)) co_return *wait;
  if (const auto next = deletionTarget(s.host, state)) co_return co_await leave(s, state, *next);
  if (beingDeleted(s.host) && keptOutOfReach(s.host) && deletionDelayed(s.host)) {
    s.journal.count([](Metrics& m) { m.deletionDelayedForDetached(); });
  }
  if (auto held = co_await reconcileDetachment(s, state)) co_return *held;
  const Registration registration = co_await registered(s);
  if (registration.tried.failure) throw *registration.tried.failure;
  if (registration.tried.step) {
    s.journal.count([](Metrics& m) { m.registrationRequired(); });
    co_return *registration.tried.step;
  }
  const bool mayRegister = s.access.has_value() && !registration.unregistered;
  co_return co_await admitted(s, co_await work(s, state, mayRegister));
}

// A try that throws leaves the host unchanged.
base::Task<Step> advanceInTime(Scope& s, State state) {
  if (!isLeaving(s.host)) co_return co_await advance(s, state);
  const api::BareMetalHost before = s.host;
  Try tried;
  try {
    tried.step = co_await advance(s, state);
  } catch (const ProvisionerError& error) {
    tried.failure = error;
    s.host = before;
  }
  co_return co_await withinPatience(s, state, std::move(tried));
}

// Texts of Ironic, and of BMCs that it passes on, may contain the password that Ironic was given.
base::Task<Step> advanceDiscreetly(Scope& s, State state) {
  try {
    Step step = co_await advanceInTime(s, state);
    if (auto* failure = std::get_if<Fail>(&step)) failure->message = discreet(s, failure->message);
    co_return step;
  } catch (const ProvisionerError& error) {
    throw ProvisionerError(error.code(), discreet(s, error.what()));
  }
}

// Why nobody has looked at the power; "": it is looked at, or will be in a moment.
std::string whyUnread(const Step& step) {
  if (const auto* failure = std::get_if<Fail>(&step)) return failure->message;
  if (std::holds_alternative<NoSlot>(step)) return "the host waits for a slot: nobody reads its power";
  const auto* stay = std::get_if<Stay>(&step);
  return stay != nullptr ? stay->obstacle : "";
}

// A host that does not get as far as its power is not looked at.
void noteUnread(Scope& s, State state, const Step& step) {
  if (s.powerRead || !rests(state)) return;
  if (const std::string why = whyUnread(step); !why.empty()) notePowerKnown(s.host, false, discreet(s, why), s.now);
}

}  // namespace

base::Task<Step> runMachine(Scope& s) {
  const State state = stateOf(s.host);
  tellEndedOneShots(s);
  Step step = co_await advanceDiscreetly(s, state);
  noteUnread(s, state, step);
  takeOneShots(s, state, step);
  co_return step;
}

}  // namespace ingot::coordinator::host
