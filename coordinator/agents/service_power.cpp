// The part of the service that a host's power asks: what is known of it, and what the agent is told to do.
#include "bmc/model/transition.hpp"
#include "coordinator/agents/served.hpp"
#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::agents {
namespace {

// An agent's time stamps are whole milliseconds, so a reading taken at the moment of its right may seem up to a
// millisecond older than the right. Nobody switched the host in that millisecond, because a right is given only some
// seconds after the last request to Ironic.
constexpr base::Duration stampPrecision = std::chrono::milliseconds(1);

}  // namespace

bool AgentService::serves(const std::string& uid) const {
  const auto* served = findServed(uid);
  if (served == nullptr || served->agent.empty()) return false;
  const auto* connection = connectionOf(served->agent);
  return connection != nullptr && roster_.alive(*connection, runtime_.clock.now());
}

bool AgentService::canCommand(const std::string& uid) const {
  const auto lease = leases_.find(uid);
  return lease && lease->mayAct && serves(uid);
}

const HostFacts* AgentService::facts(const std::string& uid) const {
  const auto* served = findServed(uid);
  const auto* facts = facts_.find(uid);
  return served != nullptr && facts != nullptr && facts->grant >= served->accessGrant ? facts : nullptr;
}

bmc::Power AgentService::power(const std::string& uid) const {
  return facts(uid) == nullptr ? bmc::Power::unknown : facts_.power(uid, runtime_.clock.now());
}

bmc::Power AgentService::powerSinceCommand(const std::string& uid) const {
  const auto* known = facts(uid);
  const auto sent = commands_.lastSent(uid);
  if (known == nullptr || (sent && (!known->powerAt || *known->powerAt < *sent))) return bmc::Power::unknown;
  // A reading that was taken while Ironic could switch the host does not prove the state in which Ironic has left it.
  const auto* served = findServed(uid);
  const bool own = canCommand(uid) && known->powerAt && *known->powerAt + stampPrecision >= served->rightSince;
  return own ? power(uid) : bmc::Power::unknown;
}

bmc::Power AgentService::provedPower(const std::string& uid) const {
  const auto* known = facts(uid);
  const bool isOnItsWay = known != nullptr && bmc::isTransitional(known->rawPower);
  return isOnItsWay ? bmc::Power::unknown : powerSinceCommand(uid);
}

bool AgentService::quiet(const std::string& uid) const { return leases_.quiet(uid, runtime_.clock.now()); }

const SentCommand* AgentService::underWay(const std::string& uid) const {
  return commands_.underWay(uid, runtime_.clock.now());
}

void AgentService::settleOutcome(const std::string& uid) {
  const auto* command = underWay(uid);
  if (command == nullptr || !command->result || bmc::isOneShot(command->action)) return;
  if (provedPower(uid) == bmc::targetOf(command->action)) commands_.proved(uid);
}

bool AgentService::isLate(const std::string& uid) const {
  const auto* command = underWay(uid);
  const auto* known = facts(uid);
  return command != nullptr && known != nullptr && known->powerAt &&
         agents::isLate(*command, power(uid), *known->powerAt, known->vendor);
}

void AgentService::restartRecorded(const std::string& uid) {
  earlierWishes_.erase(uid);
  const auto command = commands_.restartRecorded(uid);
  if (!command) return;
  if (const auto* agent = connectionOf(command->agent))
    send(*agent, wire::Acknowledge{.host = uid, .token = command->token});
}

bool AgentService::wishStands(const host::PoweredHost& host) const {
  const auto now = world_.hosts.find({host.namespace_, host.name});
  return now && host::powerWish(*now) == host.wish;
}

bool AgentService::command(const std::string& uid, bmc::PowerAction action) {
  const auto* served = findServed(uid);
  if (served == nullptr || !canCommand(uid)) return false;
  const auto* host = hosts_.find(served->key, uid);  // ownership is decided now, not when the lease was given
  if (host == nullptr || ownerOf(*host) != ownership::Owner::agent) return false;
  const wire::Command command{uid, leases_.nextCommand(uid), std::string(bmc::toText(action))};
  if (!send(*connectionOf(served->agent), command)) return false;
  commands_.sent(uid,
                 {.agent = served->agent, .token = command.token, .action = action, .sentAt = runtime_.clock.now()});
  runtime_.log.info("sent a power command",
                    {{"host", served->key.text()}, {"agent", served->agent}, {"action", command.action}});
  return true;
}

}  // namespace ingot::coordinator::agents
