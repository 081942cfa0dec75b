#include "coordinator/agents/agent_power.hpp"

namespace ingot::coordinator::agents {

namespace {

using host::Result;

constexpr base::Duration again = std::chrono::seconds(2);          // an answer of the agent ends the wait earlier
constexpr base::Duration afterRefusal = std::chrono::seconds(15);  // a try costs the BMC a request or two

// Ironic is told first, lest its power sync undo the change (docs/decisions/0009), but what the agent has proved is not
// kept from the user for an Ironic that does not answer.
constexpr base::Duration recordPatience = std::chrono::seconds(2);

// Why power is not known any more; "" while it is: one poll that failed is no trouble.
std::string bmcTrouble(const AgentService& agents, const std::string& uid) {
  const auto* facts = agents.facts(uid);
  if (facts == nullptr || facts->bmcErrorCode.empty() || agents.power(uid) != bmc::Power::unknown) return {};
  return facts->bmcError;
}

// Not there yet. What the user is shown as wrong stays until a reading disproves it.
Result trying() {
  auto result = Result::continuing(again);
  result.errorStands = true;
  return result;
}

std::string_view verb(bmc::PowerAction action) {
  return bmc::targetOf(action) == bmc::Power::on ? "PowerOn" : "PowerOff";
}

Result failing(std::string_view verb, const std::string& why) {
  auto result = Result::failed(fmt::format("{} operation failed: {}", verb, why));
  result.retryAfter = afterRefusal;
  return result;
}

// Nothing has failed yet; a user who looks at the rack finds the reason sooner.
Result late(bmc::PowerAction action) {
  const bool on = bmc::targetOf(action) == bmc::Power::on;
  auto result = failing(verb(action), fmt::format("it was asked for, and {} s later the BMC still says {}",
                                                  worthAWord / std::chrono::seconds(1),
                                                  on ? "Off; perhaps the server has no input power" : "On"));
  result.retryAfter = again;
  return result;
}

// Neither IPMI nor every Redfish service can restart softly.
bool unsupported(const wire::CommandResult& result) { return result.errorCode == "unsupported"; }

}  // namespace

AgentPower::AgentPower(base::Runtime runtime, AgentService& agents, IronicRecord record)
    : runtime_(runtime.named("power")), agents_(agents), record_(std::move(record)) {}

base::Task<host::PowerReading> AgentPower::read(const host::PoweredHost& host, host::Provisioner& backend) {
  if (!agents_.serves(host.uid)) co_return co_await fallback_.read(host, backend);
  const auto wanted = host.wantedOn ? bmc::Power::on : bmc::Power::off;
  // Only towards what the user wants: a host that lost its power by itself is not to be kept off by Ironic.
  if (agents_.power(host.uid) == wanted && !host.provisionerId.empty())
    co_await alignRecord(host.provisionerId, host.uid, host.wantedOn);
  const auto power = agents_.power(host.uid);  // Ironic took its time
  if (power == bmc::Power::unknown) co_return host::PowerReading{std::nullopt, bmcTrouble(agents_, host.uid)};
  co_return host::PowerReading{power == bmc::Power::on, ""};
}

base::Task<void> AgentPower::alignRecord(std::string nodeId, std::string uid, bool on) {
  if (!record_.follow || agents_.underWay(uid) != nullptr) co_return;
  std::string problem;
  try {
    co_await base::withTimeout(runtime_.clock, recordPatience, "Ironic takes long",
                               record_.follow(std::move(nodeId), on));
  } catch (const host::ProvisionerError& error) {  // the next reconcile tries again
    problem = error.what();
  } catch (const base::TimedOut& error) {
    problem = error.what();
  }
  if (!problem.empty())
    runtime_.log.debug("Ironic's power record could not be brought up to date", {{"error", problem}});
}

base::Task<Result> AgentPower::turnOn(const host::PoweredHost& host, host::Provisioner& backend, bool force) {
  if (agents_.serves(host.uid)) co_return co_await reach(host, bmc::PowerAction::on);
  if (!agents_.quiet(host.uid)) co_return Result::continuing(again);  // a lost agent may still be acting
  co_return co_await fallback_.turnOn(host, backend, force);
}

base::Task<Result> AgentPower::turnOff(const host::PoweredHost& host, host::Provisioner& backend, host::RebootMode mode,
                                       bool force) {
  const bool softly = mode == host::RebootMode::soft && !force;
  if (agents_.serves(host.uid)) {
    if (host.disablePowerOff) co_return co_await restart(host, softly);
    co_return co_await reach(host, softly ? bmc::PowerAction::softOff : bmc::PowerAction::hardOff);
  }
  if (!agents_.quiet(host.uid)) co_return Result::continuing(again);
  if (softly && agents_.goesDown(host.uid)) co_return trying();  // an agent that is gone now has asked it
  co_return co_await fallback_.turnOff(host, backend, mode, force);
}

// One step of an agent's power change: judge what came back, wait for what is under way, or send once.
base::Task<Result> AgentPower::reach(host::PoweredHost host, bmc::PowerAction action) {
  const auto wanted = bmc::targetOf(action);
  if (const auto ended = agents_.takeEnded(host.uid)) {
    const auto& result = *ended->result;
    if (result.outcome == "failed" && bmc::targetOf(ended->action) == wanted)
      co_return failing(verb(action), result.error);
    // done: the reading below tells; refused or unknown: decide again on what is read then
  }
  if (agents_.waitsForOutcome(host.uid)) co_return agents_.isLate(host.uid) ? late(action) : trying();
  if (agents_.powerSinceCommand(host.uid) == wanted) co_return Result::complete();
  co_return co_await send(std::move(host), action);
}

// The same for a host that must not be off, not even for a moment. An ending tells; no reading proves a restart.
base::Task<Result> AgentPower::restart(host::PoweredHost host, bool softly) {
  // A result comes a moment before the reading after it: taken without that it would be lost, and soft tried for ever.
  const bool blind = agents_.powerSinceCommand(host.uid) == bmc::Power::unknown;
  if (blind && bmcTrouble(agents_, host.uid).empty()) co_return trying();
  auto action = softly ? bmc::PowerAction::softReboot : bmc::PowerAction::hardRestart;
  if (const auto ended = agents_.takeEnded(host.uid); ended && isRestart(ended->action)) {
    const auto& result = *ended->result;
    if (result.outcome == "done") co_return Result::complete();
    if (result.outcome == "unknown") {  // perhaps; a second restart would be worse than none
      runtime_.log.warn("whether a host was restarted is not known; it is not tried again",
                        {{"host", host.name}, {"why", result.error}});
      co_return Result::complete();
    }
    if (result.outcome == "failed" && !(softly && unsupported(result))) co_return failing("Reboot", result.error);
    if (result.outcome == "failed") action = bmc::PowerAction::hardRestart;
  }
  if (agents_.waitsForOutcome(host.uid)) co_return trying();
  if (agents_.powerSinceCommand(host.uid) == bmc::Power::off) co_return Result::complete();
  co_return co_await send(std::move(host), action);
}

base::Task<Result> AgentPower::send(host::PoweredHost host, bmc::PowerAction action) {
  co_await refreshNode(host.provisionerId);
  if (agents_.powerSinceCommand(host.uid) == bmc::Power::unknown) {  // never on a stale fact
    const auto trouble = bmcTrouble(agents_, host.uid);
    co_return trouble.empty() ? trying() : failing(verb(action), trouble);
  }
  static_cast<void>(agents_.command(host.uid, action));  // not sent (no right to act yet): asked again
  co_return trying();
}

// Ironic may have begun something of its own meanwhile. When it does not answer, what was last seen counts: it begins
// nothing new for us then.
base::Task<void> AgentPower::refreshNode(std::string nodeId) {
  if (!record_.refresh || nodeId.empty()) co_return;
  try {
    co_await record_.refresh(std::move(nodeId));
  } catch (const host::ProvisionerError& error) {
    runtime_.log.debug("a node could not be read before a command", {{"error", error.what()}});
  }
}

void AgentPower::restartRecorded(const host::PoweredHost& host) {
  agents_.restartRecorded(host.uid);
  fallback_.restartRecorded(host);
}

base::Task<Result> AgentPower::checkAccess(const host::PoweredHost& host) {
  if (!agents_.serves(host.uid))
    co_return agents_.expected({host.namespace_, host.name}) ? Result::continuing(again) : Result::complete();
  if (!agents_.usesPresentAccess(host.uid)) co_return Result::continuing(again);  // its facts prove the old password
  const auto* facts = agents_.facts(host.uid);
  if (facts != nullptr && !facts->bmcErrorCode.empty()) co_return Result::failed(facts->bmcError);
  if (agents_.power(host.uid) == bmc::Power::unknown) co_return Result::continuing(again);
  co_return Result::complete();
}

base::Task<bool> AgentPower::hasFailure(const host::PoweredHost& host, host::Provisioner& backend) {
  if (!agents_.serves(host.uid)) co_return co_await fallback_.hasFailure(host, backend);
  co_return !bmcTrouble(agents_, host.uid).empty();
}

}  // namespace ingot::coordinator::agents
