#include "coordinator/host/machine.hpp"

#include "base/redaction.hpp"
#include "coordinator/host/apply.hpp"
#include "coordinator/host/conditions.hpp"
#include "coordinator/host/deletion.hpp"
#include "coordinator/host/detachment.hpp"
#include "coordinator/host/intent.hpp"
#include "coordinator/host/registration.hpp"
#include "coordinator/host/table.hpp"

namespace ingot::coordinator::host {
namespace {

base::Task<bool> hasRoom(Scope& s) {
  try {
    co_return co_await s.backend.hasCapacity();
  } catch (const ProvisionerError& error) {
    throw ProvisionerError(error.code(),
                           fmt::format("failed to determine current provisioner capacity: {}", error.what()));
  }
}

// A host that waited for room, or lost its place with the backend's memory, goes on only when there is room.
base::Task<std::optional<Step>> waitForRoom(Scope& s, State state) {
  const bool delayed = s.host.status.operationalStatus == api::operational_status::delayed;
  if (!delayed && !rowOf(state).takesPlace) co_return std::nullopt;
  if (!co_await hasRoom(s)) co_return Crowded{state};
  if (!delayed) co_return std::nullopt;
  clearError(s.host);
  co_return Stay{atOnce};
}

base::Task<Step> admitted(Scope& s, Step step) {
  const auto* go = std::get_if<Goto>(&step);
  if (go == nullptr || !rowOf(go->to).takesPlace) co_return step;
  if (!co_await hasRoom(s)) co_return Crowded{go->to};
  co_return step;
}

void countGivenUp(Scope& s, State state) {
  s.log.warn("giving up a step of the deletion", {{"state", text(state)}});
  s.journal.count([state](Metrics& m) {
    if (state == State::deprovisioning)
      m.deletedWithoutDeprovisioning();
    else
      m.deletedWithoutPoweringOff();
  });
}

base::Task<Step> work(Scope& s, State state) {
  std::optional<ProvisionerError> failure;
  try {
    Step step = co_await rowOf(state).handler(s);
    auto instead = giveUp(s.host, s.access.has_value(), &step, nullptr);
    if (!instead) co_return step;
    countGivenUp(s, state);
    co_return *instead;
  } catch (const ProvisionerError& error) {
    failure = error;
  }
  auto instead = giveUp(s.host, s.access.has_value(), nullptr, &*failure);
  if (!instead) throw *failure;
  countGivenUp(s, state);
  co_return *instead;
}

}  // namespace

namespace {

base::Task<Step> advance(Scope& s, State state) {
  if (auto wait = co_await waitForRoom(s, state)) co_return *wait;
  if (const auto next = deletionTarget(s.host, state)) co_return co_await admitted(s, Goto{*next});
  if (beingDeleted(s.host) && keptOutOfReach(s.host) && deletionDelayed(s.host)) {
    s.journal.count([](Metrics& m) { m.deletionDelayedForDetached(); });
  }
  if (auto held = co_await mindDetachment(s, state)) co_return *held;
  if (auto wait = co_await ensureRegistered(s)) {
    s.journal.count([](Metrics& m) { m.registrationRequired(); });
    co_return *wait;
  }
  co_return co_await admitted(s, co_await work(s, state));
}

// Ironic's texts, and those of BMCs that it passes on, may hold what it was told.
base::Task<Step> advanceDiscreetly(Scope& s, State state) {
  const base::Secret password = s.access ? s.access->credentials.password : base::Secret();
  try {
    Step step = co_await advance(s, state);
    if (auto* failure = std::get_if<Fail>(&step)) failure->message = base::redacted(failure->message, password);
    co_return step;
  } catch (const ProvisionerError& error) {
    throw ProvisionerError(error.code(), base::redacted(error.what(), password));
  }
}

// While nobody may manage the host nobody looks at its power either.
void noteUnread(Scope& s, State state, const Step& step) {
  const auto* failure = std::get_if<Fail>(&step);
  if (failure == nullptr || !rests(state)) return;
  const bool kept = failure->type == ErrorType::registration || failure->type == ErrorType::provisionedRegistration;
  if (kept) notePowerKnown(s.host, false, failure->message, s.now);
}

}  // namespace

base::Task<Step> runMachine(Scope& s) {
  const State state = stateOf(s.host);
  Step step = co_await advanceDiscreetly(s, state);
  noteUnread(s, state, step);
  co_return step;
}

}  // namespace ingot::coordinator::host
