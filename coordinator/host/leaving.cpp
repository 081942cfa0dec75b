#include "coordinator/host/leaving.hpp"

#include "coordinator/host/apply.hpp"
#include "coordinator/host/deletion.hpp"
#include "coordinator/host/intent.hpp"
#include "coordinator/host/lasting_trouble.hpp"
#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host {
namespace {

constexpr base::Duration worthShowing = std::chrono::minutes(1);

// What holds the deletion; "" when nothing does. A failure of the work itself (a disk that cannot be cleaned) does not
// count here, for it is retried for longer.
std::string obstacleOf(const Try& tried) {
  if (tried.failure) return tried.failure->what();
  if (const auto* stay = std::get_if<Stay>(&*tried.step)) return stay->obstacle;
  const auto* failed = std::get_if<Fail>(&*tried.step);
  return failed != nullptr && isAboutReach(*failed) ? failed->message : "";
}

// What holds the registration, which should take seconds; "" for one that has failed, since failures are counted.
std::string obstacleToRegistration(const Try& tried) {
  if (tried.failure || !tried.step) return tried.failure ? tried.failure->what() : "";
  const auto* stay = std::get_if<Stay>(&*tried.step);
  if (stay == nullptr || stay->after == atOnce) return "";
  return stay->obstacle.empty() ? "the registration does not come to an end" : stay->obstacle;
}

// Ironic cleans some nodes at a time (max_concurrent_clean): a disk is not left as it is because others come first.
bool isQueued(State state, const ProvisionerError& failure) {
  return state == State::deprovisioning && failure.code() == ProvisionerError::Code::overloaded;
}

// The backend answers, but does not do this host's work. A backend that does not answer is waited for: it may still
// have the host's node, which must not be left with it.
bool isHeld(Scope& s, State state, const Try& tried, const std::string& why) {
  if (why.empty()) return false;
  if (!tried.failure) return true;
  if (tried.failure->code() == ProvisionerError::Code::notReady || isQueued(state, *tried.failure)) return false;
  return s.backend.answers();
}

// The next try comes soon, because the back-off of the queue would outlast the deletion.
Step again(Scope& s, const std::string& why, base::Duration held) {
  if (held >= worthShowing) showTrouble(s.host, discreet(s, why));
  s.log.warn("a deletion is held", {{"state", s.host.status.provisioning.state}, {"why", discreet(s, why)}});
  s.journal.count([](Metrics& m) { m.reconcileFailed(); });
  return Stay{s.held.retryDelay(held)};
}

constexpr std::string_view abandonedReason =
    "the BareMetalHost was deleted and this node could not be: delete it by hand";

// Without maintenance Ironic would put the machine back to the power that it remembers.
base::Task<std::string> whatBecomesOfIt(Scope& s) {
  const std::string refused = co_await s.backend.abandon(std::string(abandonedReason));
  if (refused.empty()) co_return "it was put into maintenance, so that Ironic leaves the machine alone";
  co_return fmt::format("it may go on switching the machine, for the node was not put into maintenance ({})", refused);
}

base::Task<Step> releaseUnremoved(Scope& s, std::string why) {
  const Step released = co_await states::release(s);
  if (!std::holds_alternative<Gone>(released)) co_return released;
  const std::string& id = s.host.status.provisioning.ID;
  const std::string node = id.empty() ? fmt::format("{}~{}", s.host.metadata.namespace_, s.host.metadata.name) : id;
  const std::string fate = co_await whatBecomesOfIt(s);
  s.log.warn("giving up the removal of a node",
             {{"node", node}, {"why", discreet(s, why)}, {"fate", discreet(s, fate)}});
  s.journal.warning("NodeNotRemoved",
                    fmt::format("deleted although Ironic keeps node {}, with the address and the credentials of the "
                                "BMC in it; {}: delete that by hand: {}",
                                node, discreet(s, fate), discreet(s, why)));
  co_return released;
}

base::Task<Step> passOver(Scope& s, State state, std::string why) {
  if (state == State::deleting) co_return co_await releaseUnremoved(s, std::move(why));
  const State next = state == State::deprovisioning ? State::poweringOffBeforeDelete : State::deleting;
  tellGivenUp(s, state, next, why);
  co_return Goto{next, Failures::forgotten};
}

}  // namespace

bool isLeaving(const api::BareMetalHost& host) {
  const State state = stateOf(host);
  return beingDeleted(host) && (onTheWayOut(state) || state == State::deleting);
}

void tellSkipped(Journal& journal, State state, State next, const std::string& why) {
  if (state == State::deprovisioning) {
    journal.warning("DeprovisioningSkipped", "deleted without deprovisioning, its disks were not cleaned: " + why);
    journal.count([](Metrics& m) { m.deletedWithoutDeprovisioning(); });
  }
  if (next == State::deleting) {
    journal.warning("PowerOffSkipped", "deleted without being switched off, it may still be running: " + why);
    journal.count([](Metrics& m) { m.deletedWithoutPoweringOff(); });
  }
}

void tellGivenUp(Scope& s, State state, State next, const std::string& reason) {
  const std::string why = discreet(s, reason);
  s.log.warn("giving up a step of the deletion", {{"state", text(state)}, {"why", why}});
  tellSkipped(s.journal, state, next, why);
}

base::Task<Step> withinPatience(Scope& s, State state, Try tried) {
  const kube::ObjectKey key = s.host.metadata.key();
  const std::string why = obstacleOf(tried);
  if (!isHeld(s, state, tried, why)) {
    s.held.over(key, state);
    if (tried.failure) throw *tried.failure;
    co_return std::move(*tried.step);
  }
  const base::Duration held = s.held.noteHeld(key, state);
  if (held >= deletionPatienceFor(state)) co_return co_await passOver(s, state, why);
  if (tried.failure) co_return again(s, why, held);
  co_return std::move(*tried.step);
}

Registration registrationWithinPatience(Scope& s, Try tried) {
  const kube::ObjectKey key = s.host.metadata.key();
  const std::string why = obstacleToRegistration(tried);
  if (!isHeld(s, State::registering, tried, why)) {
    s.held.over(key, State::registering);
    return Registration{std::move(tried)};
  }
  if (s.held.noteHeld(key, State::registering) < deletionPatienceFor(State::registering))
    return Registration{std::move(tried)};
  s.log.warn("a host leaves without being registered again", {{"why", discreet(s, why)}});
  return Registration{.unregistered = true};
}

}  // namespace ingot::coordinator::host
