#include "coordinator/host/deletion.hpp"

#include "coordinator/host/apply.hpp"
#include "coordinator/host/detachment.hpp"
#include "coordinator/host/intent.hpp"
#include "coordinator/host/retry.hpp"

namespace ingot::coordinator::host {

namespace {

// Whoever serves the BMC needs no node to switch the host off.
State afterWithoutNode(State state) {
  return state == State::deprovisioning ? State::poweringOffBeforeDelete : State::deleting;
}

}  // namespace

bool isWithoutNode(const ProvisionerError& error) {
  return error.code() == ProvisionerError::Code::needsRegistration ||
         error.code() == ProvisionerError::Code::foreignNode;
}

bool onTheWayOut(State state) { return state == State::deprovisioning || state == State::poweringOffBeforeDelete; }

base::Duration deletionPatienceFor(State step) {
  if (step == State::registering) return std::chrono::minutes(1);
  if (step == State::deprovisioning) return std::chrono::minutes(4);  // which keeps what is on the disks from strangers
  return std::chrono::minutes(2);
}

std::optional<State> deletionTarget(const api::BareMetalHost& host, State state) {
  if (!beingDeleted(host)) return std::nullopt;
  if (keptOutOfReach(host) && state != State::deleting) {  // neither deprovisioned nor switched off
    return deletionDelayed(host) ? std::nullopt : std::optional(State::deleting);
  }
  switch (state) {
    case State::none:
    case State::unmanaged:
    case State::registering: return State::deleting;
    case State::provisioning:
    case State::provisioned: return State::deprovisioning;
    case State::deprovisioning:
    case State::poweringOffBeforeDelete:
      if (failedWith(host, ErrorType::registration) && host.status.errorCount > deletionPatience)
        return afterWithoutNode(state);
      return std::nullopt;
    case State::deleting: return std::nullopt;
    case State::inspecting:
    case State::matchProfile:
    case State::preparing:
    case State::available:
    case State::ready:
    case State::externallyProvisioned: return State::poweringOffBeforeDelete;
  }
  return std::nullopt;
}

std::optional<Goto> giveUp(const api::BareMetalHost& host, bool mayRegister, const Step* step,
                           const ProvisionerError* error) {
  const State state = stateOf(host);
  if (!beingDeleted(host) || !onTheWayOut(state)) return std::nullopt;
  if (error != nullptr) {
    if (!isWithoutNode(*error) || mayRegister) return std::nullopt;
    return Goto{afterWithoutNode(state), Failures::forgotten};
  }
  const bool failed = step != nullptr && std::holds_alternative<Fail>(*step);
  if (!failed || host.status.errorCount + 1 <= deletionPatience) return std::nullopt;
  if (state != State::deprovisioning) return Goto{State::deleting};
  return Goto{State::poweringOffBeforeDelete, Failures::forgotten};  // which gets tries of its own
}

}  // namespace ingot::coordinator::host
