#include "coordinator/agents/agent_power.hpp"

#include "coordinator/agents/agent_boot.hpp"
#include "coordinator/agents/passing.hpp"
#include "coordinator/host/cluster.hpp"

namespace ingot::coordinator::agents {

namespace {

using host::Done;
using host::Progress;
using host::Refused;
using host::Working;

constexpr base::Duration again = std::chrono::seconds(2);  // an answer of the agent ends the wait earlier
constexpr int mostAsked = 2;                               // of Ironic, before somebody is told that the host stays off
constexpr base::Duration afterRefusal = std::chrono::seconds(15);  // a try costs the BMC a request or two

// Why power is not known any more; "" while it is: one poll that failed is no trouble.
std::string bmcTrouble(const AgentService& agents, const std::string& uid) {
  const auto* facts = agents.facts().find(uid);
  if (facts == nullptr || facts->bmcErrorCode.empty() || agents.facts().power(uid) != bmc::Power::unknown) return {};
  return facts->bmcError;
}

// The power change is under way. The error that the user sees stays until a reading disproves it.
Working trying() { return {.after = again, .errorStands = true}; }

std::string_view verb(bmc::PowerAction action) {
  return bmc::targetOf(action) == bmc::Power::on ? "PowerOn" : "PowerOff";
}

Refused failing(std::string_view verb, const std::string& why) {
  return {fmt::format("{} operation failed: {}", verb, why), afterRefusal};
}

// The command is late but has not failed: the text lets the user look for the cause at the machine.
Refused late(bmc::PowerAction action) {
  const bool on = bmc::targetOf(action) == bmc::Power::on;
  Refused refused = failing(verb(action), fmt::format("it was asked for, and {} s later the BMC still says {}",
                                                      worthAWord / std::chrono::seconds(1),
                                                      on ? "Off; perhaps the server has no input power" : "On"));
  refused.retryAfter = again;
  return refused;
}

// It would be refused again at once, and be sent and refused as fast as the link carries it.
bool isRefusedForNow(const wire::CommandResult& result) {
  const bool isOfCommands = result.errorCode == "not-asked" || result.errorCode == "not-received";
  return agents::isRefusedForNow(result.outcome, result.errorCode) || (result.outcome == "refused" && isOfCommands);
}

// A refusal because the right to act or the order of commands has changed passes. Any other one (the agent's disk is
// full, it does not know the action) is repeated at each try.
bool isLasting(const wire::CommandResult& result) {
  return result.outcome == "refused" && !result.errorCode.empty() && !isRefusedForNow(result);
}

// The agent refused the command before anything was tried. The text is one that onlyWaits (host/power_watchdog.hpp)
// recognises, so the operating system is still asked to shut down before the power is cut.
Refused waiting(std::string_view verb, const std::string& why) {
  return {fmt::format("{} operation waits: the agent refuses the command: {}", verb, why), afterRefusal};
}

// Neither IPMI nor every Redfish service can restart softly.
bool unsupported(const wire::CommandResult& result) { return result.errorCode == "unsupported"; }

}  // namespace

AgentPower::AgentPower(base::Runtime runtime, AgentService& agents, IronicRecord record)
    : runtime_(runtime.named("power")),
      agents_(agents),
      refresh_(std::move(record.refresh)),
      setsBootDevice_(std::move(record.setsBootDevice)),
      record_(runtime_, agents, std::move(record.follow)) {}

base::Task<host::PowerReading> AgentPower::read(const host::PoweredHost& host, host::PowerBackend& backend) {
  if (!agents_.grants().serves(host.uid)) {
    auto reading = co_await fallback_.read(host, backend);
    if (!reading.on && reading.why.empty()) reading.why = co_await backend.obstacle({});
    co_return reading;
  }
  if (!host.wantedOn || agents_.facts().power(host.uid) == bmc::Power::on) byIronic_.erase(host.uid);
  const auto wanted = host.wantedOn ? bmc::Power::on : bmc::Power::off;
  // Ironic's record is updated first, or its power sync would undo the change. This happens only when the power is as
  // the user wants it: Ironic must not keep off a host that lost its power by itself.
  if (agents_.facts().power(host.uid) == wanted && !host.provisionerId.empty()) co_await record_.align(host);
  const auto power = agents_.facts().power(host.uid);  // Ironic took its time
  if (power == bmc::Power::unknown) co_return host::PowerReading{std::nullopt, bmcTrouble(agents_, host.uid)};
  co_return host::PowerReading{power == bmc::Power::on, ""};
}

base::Task<Progress> AgentPower::turnOn(const host::PoweredHost& host, host::PowerBackend& backend, host::PowerOn how) {
  if (agents_.grants().serves(host.uid)) {
    if (!host.isLent && co_await bootsByIronicOnly(host)) {
      if (!agents_.commands().wishStands(host)) throw host::HostMoved();  // Ironic took its time
      co_return co_await turnOnByIronic(host, backend, how);
    }
    // One that is still going down is made ready, too, which waits until it is off: it would be switched on as it is.
    const bool isToBegin =
        agents_.commands().underWay(host.uid) == nullptr && agents_.commands().powerSince(host.uid) == bmc::Power::off;
    if (isToBegin)
      if (auto wait = co_await notReady(host, true)) co_return std::move(*wait);
    co_return co_await reach(host, bmc::PowerAction::on);
  }
  if (!agents_.grants().quiet(host.uid)) co_return Working{again};  // a lost agent may still be acting
  if (auto why = co_await whyNotByBackend(host); !why.empty()) co_return Working{.after = again, .obstacle = why};
  co_return co_await fallback_.turnOn(host, backend, how);
}

base::Task<Progress> AgentPower::turnOff(const host::PoweredHost& host, host::PowerBackend& backend,
                                         host::PowerOff how) {
  const bool softly = how.mode == host::RebootMode::soft && !how.force;
  if (agents_.grants().serves(host.uid)) {
    if (host.disablePowerOff) co_return co_await restart(host, softly);
    co_return co_await reach(host, softly ? bmc::PowerAction::softOff : bmc::PowerAction::hardOff);
  }
  if (!agents_.grants().quiet(host.uid)) co_return Working{again};
  if (host.isLent) co_return Working{.after = again, .obstacle = std::string(noAgent)};
  if (softly && agents_.commands().goesDown(host.uid)) co_return trying();  // an agent that is gone now has asked it
  co_return co_await fallback_.turnOff(host, backend, how);
}

// What Ironic remembers is no reading of the agent, whose word the host's status is. The agent has its right, and with
// it its proof, only until Ironic gets the BMC for its request: so that it was read as off is kept until that was sent.
base::Task<Progress> AgentPower::turnOnByIronic(host::PoweredHost host, host::PowerBackend& backend,
                                                host::PowerOn how) {
  if (agents_.commands().provedPower(host.uid) == bmc::Power::off) byIronic_[host.uid].isOff = true;
  how.despiteRecord = byIronic_[host.uid].isOff;
  auto progress = co_await fallback_.turnOn(host, backend, how);  // through its gate
  auto& known = byIronic_[host.uid];
  if (const auto* working = std::get_if<Working>(&progress); working != nullptr && working->started)
    known = {.isOff = false, .asked = known.asked + 1};
  if (std::holds_alternative<Refused>(progress) || agents_.facts().power(host.uid) == bmc::Power::on)
    co_return progress;
  if (known.asked > mostAsked) co_return late(bmc::PowerAction::on);
  co_return std::holds_alternative<Done>(progress) ? trying() : std::move(progress);
}

base::Task<std::optional<Progress>> AgentPower::notReady(host::PoweredHost host, bool isOff) {
  if (!liveIsos_.makeReady) co_return std::nullopt;
  auto ready = co_await liveIsos_.makeReady(std::move(host), isOff);
  if (std::holds_alternative<Done>(ready)) co_return std::nullopt;
  co_return std::move(ready);
}

// A machine that is lent is not its backend's, whoever is there.
base::Task<std::string> AgentPower::whyNotByBackend(host::PoweredHost host) {
  if (host.isLent) co_return std::string(noAgent);
  if (!liveIsos_.whyAgentsOnly) co_return "";
  co_return co_await liveIsos_.whyAgentsOnly(std::move(host));
}

// What an agent has been asked for goes on.
base::Task<bool> AgentPower::bootsByIronicOnly(host::PoweredHost host) {
  if (!setsBootDevice_ || host.provisionerId.empty() || agents_.commands().underWay(host.uid) != nullptr)
    co_return false;
  try {
    co_return co_await setsBootDevice_(host);
  } catch (const host::ProvisionerError& error) {  // better on than off
    runtime_.log.debug("a node's boot device is not known", {{"host", host.name}, {"error", error.what()}});
    co_return false;
  }
}

// One step of an agent's power change: judge what came back, wait for what is under way, or send once.
base::Task<Progress> AgentPower::reach(host::PoweredHost host, bmc::PowerAction action) {
  const auto wanted = bmc::targetOf(action);
  if (const auto ended = takeEndedChange(host.uid)) {
    const auto& result = *ended->result;
    if (result.outcome == "failed" && bmc::targetOf(ended->action) == wanted)
      co_return failing(verb(action), result.error);
    if (isLasting(result)) co_return waiting(verb(action), result.error);
    if (isRefusedForNow(result)) co_return trying();
    // A command that is done is proved by the reading below. After one whose outcome is unknown, that reading decides
    // anew.
  }
  agents_.commands().settleOutcome(host.uid);
  if (agents_.commands().underWay(host.uid) != nullptr) {
    if (agents_.commands().isLate(host.uid)) co_return late(action);
    co_return trying();
  }
  if (agents_.commands().provedPower(host.uid) == wanted) co_return co_await proved(std::move(host), wanted);
  co_return co_await send(std::move(host), action);
}

// Nobody reads the power of a host that goes, or that is lent: Ironic's record follows here, or its power sync undoes
// the change as soon as it looks at the machine again.
base::Task<Progress> AgentPower::proved(host::PoweredHost host, bmc::Power power) {
  host.wantedOn = power == bmc::Power::on;
  if ((host.wish.beingDeleted || host.isLent) && !host.provisionerId.empty()) co_await record_.align(std::move(host));
  co_return Done{};
}

// The same step for a host that must never be off: it is restarted. Only the result of the command says how that ended,
// because no power reading proves a restart.
base::Task<Progress> AgentPower::restart(host::PoweredHost host, bool softly) {
  // A result arrives a moment before the first reading after it. If it were taken before that reading, it would be
  // lost, and a soft restart would be tried for ever.
  const bool blind = agents_.commands().powerSince(host.uid) == bmc::Power::unknown;
  if (blind && bmcTrouble(agents_, host.uid).empty()) co_return trying();
  auto action = softly ? bmc::PowerAction::softReboot : bmc::PowerAction::hardRestart;
  if (const auto ended = takeEndedChange(host.uid); ended && isRestart(ended->action)) {
    const auto& result = *ended->result;
    if (result.outcome == "done") co_return Done{};
    if (result.outcome == "unknown") {  // perhaps; a second restart would be worse than none
      runtime_.log.warn("whether a host was restarted is not known; it is not tried again",
                        {{"host", host.name}, {"why", result.error}});
      co_return Done{};
    }
    if (result.outcome == "failed" && !(softly && unsupported(result))) co_return failing("Reboot", result.error);
    if (isLasting(result)) co_return waiting("Reboot", result.error);
    if (isRefusedForNow(result)) co_return trying();
    if (result.outcome == "failed") action = bmc::PowerAction::hardRestart;
  }
  agents_.commands().settleOutcome(host.uid);
  if (agents_.commands().underWay(host.uid) != nullptr) co_return trying();
  if (agents_.commands().provedPower(host.uid) == bmc::Power::off) co_return Done{};
  if (auto wait = co_await notReady(host, false)) co_return std::move(*wait);
  co_return co_await send(std::move(host), action);
}

base::Task<Progress> AgentPower::send(host::PoweredHost host, bmc::PowerAction action) {
  co_await refreshNode(host.provisionerId);
  if (!agents_.commands().wishStands(host)) throw host::HostMoved();     // Ironic took its time
  if (agents_.commands().powerSince(host.uid) == bmc::Power::unknown) {  // no command rests on a stale fact
    const auto trouble = bmcTrouble(agents_, host.uid);
    if (trouble.empty()) co_return trying();
    co_return failing(verb(action), trouble);
  }
  static_cast<void>(agents_.commands().send(host.uid, action));  // not sent (no right to act yet): asked again
  co_return trying();
}

// Ironic may have begun work of its own on the node meanwhile. When Ironic does not answer, the last look at the node
// counts: an Ironic that does not answer begins nothing new for us.
base::Task<void> AgentPower::refreshNode(std::string nodeId) {
  if (!refresh_ || nodeId.empty()) co_return;
  try {
    co_await refresh_(std::move(nodeId));
  } catch (const host::ProvisionerError& error) {
    runtime_.log.debug("a node could not be read before a command", {{"error", error.what()}});
  }
}

void AgentPower::restartRecorded(const host::PoweredHost& host) {
  agents_.commands().restartRecorded(host.uid);
  fallback_.restartRecorded(host);
}

std::string AgentPower::whyNotNow(const host::PoweredHost& host, bmc::PowerAction action) {
  if (!agents_.grants().serves(host.uid)) return fallback_.whyNotNow(host, action);
  if (agents_.commands().underWay(host.uid) != nullptr) return "a power command is under way";
  const auto power = agents_.commands().powerSince(host.uid);
  if (power == bmc::Power::unknown) {
    auto trouble = bmcTrouble(agents_, host.uid);
    if (!trouble.empty()) return trouble;
    return "the agent has not read the host's power since it got the right to act, or has no such right now";
  }
  if (action == bmc::PowerAction::nmi && power != bmc::Power::on) return "the host is off";
  if (action == bmc::PowerAction::acCycle && host.disablePowerOff) return "spec.disablePowerOff forbids it";
  return {};
}

void AgentPower::willAskOnce(const std::string& uid, bmc::PowerAction action) { toBeSent_[uid] = action; }

void AgentPower::askOnce(const std::string& uid, bmc::PowerAction action) {
  toBeSent_.erase(uid);
  if (!agents_.commands().send(uid, action))
    ended_[uid] = {.action = action, .why = "the agent has lost the right to act on the host meanwhile"};
}

// What is told later is kept, so that nobody takes it for the end of a change of power.
std::optional<SentCommand> AgentPower::takeEndedChange(const std::string& uid) {
  noteEndedOneShot(uid);
  return agents_.commands().takeEnded(uid);
}

void AgentPower::noteEndedOneShot(const std::string& uid) {
  const auto ended = agents_.commands().takeEndedOneShot(uid);
  if (!ended) return;
  const auto& result = *ended->result;
  ended_[uid] = {.action = ended->action,
                 .done = result.outcome == "done",
                 .isUnknown = result.outcome == "unknown",
                 .why = result.error};
}

std::optional<host::PowerActor::Ended> AgentPower::endedOnce(const std::string& uid, bool isOrderedStill) {
  if (auto unsent = toBeSent_.extract(uid); unsent && !isOrderedStill)
    ended_[uid] = {.action = unsent.mapped(),
                   .why = "the order was taken off the host, and then something else could not be saved"};
  noteEndedOneShot(uid);
  const auto found = ended_.find(uid);
  return found == ended_.end() ? std::nullopt : std::optional(found->second);
}

base::Task<Progress> AgentPower::checkAccess(const host::PoweredHost& host) {
  if (!agents_.grants().serves(host.uid)) {
    if (!agents_.grants().expected({host.namespace_, host.name})) co_return Done{};
    if (auto problem = agents_.grants().trustProblem({host.namespace_, host.name}); !problem.empty())
      co_return Refused{std::move(problem)};
    co_return Working{again};
  }
  if (!agents_.grants().usesPresentAccess(host.uid)) co_return Working{again};  // its facts prove the old password
  const auto* facts = agents_.facts().find(host.uid);
  if (facts != nullptr && !facts->bmcErrorCode.empty()) co_return Refused{facts->bmcError};
  if (agents_.facts().power(host.uid) == bmc::Power::unknown) co_return Working{again};
  co_return Done{};
}

base::Task<bool> AgentPower::hasFailure(const host::PoweredHost& host, host::PowerBackend& backend) {
  if (!agents_.grants().serves(host.uid)) co_return co_await fallback_.hasFailure(host, backend);
  co_return !bmcTrouble(agents_, host.uid).empty();
}

}  // namespace ingot::coordinator::agents
