#include "coordinator/agents/commands.hpp"

#include "bmc/model/transition.hpp"
#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::agents {

namespace {

// An agent's time stamps are whole milliseconds, so a reading taken at the moment of its right may seem up to a
// millisecond older than the right. Nobody switched the host in that millisecond, because a right is given only some
// seconds after the last request to Ironic.
constexpr base::Duration stampPrecision = std::chrono::milliseconds(1);

}  // namespace

Commands::Commands(base::Runtime runtime, const AgentWorld& world, const AgentTiming& timing,
                   Conversation& conversation, Grants& grants, const Facts& facts)
    : runtime_(std::move(runtime)),
      world_(world),
      conversation_(conversation),
      grants_(grants),
      facts_(facts),
      book_(timing.patience) {}

bmc::Power Commands::powerSince(const std::string& uid) const {
  const auto* known = facts_.find(uid);
  const auto sent = book_.lastSent(uid);
  if (known == nullptr || (sent && (!known->powerAt || *known->powerAt < *sent))) return bmc::Power::unknown;
  // A reading that was taken while Ironic could switch the host does not prove the state in which Ironic has left it.
  const auto* served = grants_.find(uid);
  const bool own = grants_.canCommand(uid) && known->powerAt && *known->powerAt + stampPrecision >= served->rightSince;
  return own ? facts_.power(uid) : bmc::Power::unknown;
}

bmc::Power Commands::provedPower(const std::string& uid) const {
  const auto* known = facts_.find(uid);
  const bool isOnItsWay = known != nullptr && bmc::isTransitional(known->rawPower);
  return isOnItsWay ? bmc::Power::unknown : powerSince(uid);
}

const SentCommand* Commands::underWay(const std::string& uid) const {
  return book_.underWay(uid, runtime_.clock.now());
}

void Commands::settleOutcome(const std::string& uid) {
  const auto* command = underWay(uid);
  if (command == nullptr || !command->result || bmc::isOneShot(command->action)) return;
  if (provedPower(uid) == bmc::targetOf(command->action)) book_.proved(uid);
}

bool Commands::isLate(const std::string& uid) const {
  const auto* command = underWay(uid);
  const auto* known = facts_.find(uid);
  return command != nullptr && known != nullptr && known->powerAt &&
         agents::isLate(*command, facts_.power(uid), *known->powerAt, known->vendor);
}

bool Commands::wishStands(const host::PoweredHost& host) const {
  const auto now = world_.hosts.find({host.namespace_, host.name});
  return now && host::powerWish(*now) == host.wish;
}

bool Commands::send(const std::string& uid, bmc::PowerAction action) {
  const auto* agent = grants_.serverToAsk(uid);
  if (agent == nullptr) return false;
  const auto* served = grants_.find(uid);
  const wire::Command command{uid, grants_.nextCommand(uid), std::string(bmc::toText(action))};
  if (!conversation_.send(*agent, command)) return false;
  book_.sent(uid, {.agent = served->agent, .token = command.token, .action = action, .sentAt = runtime_.clock.now()});
  runtime_.log.info("sent a power command",
                    {{"host", served->key.text()}, {"agent", served->agent}, {"action", command.action}});
  return true;
}

void Commands::askAfter(const Connection& agent, const std::string& name) {
  for (const auto& query : book_.underWayAt(name, runtime_.clock.now())) conversation_.send(agent, query);
}

}  // namespace ingot::coordinator::agents
