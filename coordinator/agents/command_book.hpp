// Commands that were sent and how they ended. Nothing is sent again by itself: an unknown outcome is a new decision.
#pragma once

#include "base/clock.hpp"
#include "bmc/model/power.hpp"
#include "wire/messages.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace ingot::coordinator::agents {

// How long to wait for a result before the outcome is unknown: the agent's own limits (bmc/power_change.hpp) and some.
struct CommandPatience {
  base::Duration hard = std::chrono::seconds(150);
  base::Duration soft = std::chrono::seconds(660);
  base::Duration reboot = std::chrono::seconds(300);
  base::Duration acCycle = std::chrono::seconds(900);
  // How long a request whose outcome is unknown may still take effect, from when it was sent (or, where nobody knows
  // when, from when we learnt of it). A BMC that was told to switch hard may still do it, though not for long, and the
  // same request again does no harm. An operating system that was asked to shut down may take as long as a soft action.
  base::Duration unknown = std::chrono::seconds(5);

  [[nodiscard]] base::Duration of(bmc::PowerAction action) const;
};

struct SentCommand {
  std::string agent;
  wire::Token token;
  bmc::PowerAction action = bmc::PowerAction::on;
  base::MonoTime sentAt{};                // by us; or when the agent asked the BMC for an earlier coordinator
  std::optional<base::MonoTime> askedAt;  // when the agent asked the BMC, as it told of an unknown outcome
  std::optional<wire::CommandResult> result;
  base::MonoTime endedAt{};
};

// A host that still reads as before this long after a hard change was asked for is reported to the user, although the
// change may still follow; later by `restBeforeOn` where the agent gives the machine a rest before it is switched on.
constexpr base::Duration worthAWord = std::chrono::seconds(15), restBeforeOn = std::chrono::seconds(10);
[[nodiscard]] bool isLate(const SentCommand& command, bmc::Power seen, base::MonoTime seenAt, std::string_view vendor);

class CommandBook {
 public:
  explicit CommandBook(CommandPatience patience) : patience_(patience) {}

  void sent(const std::string& host, SentCommand command);

  // This command, or a later one for this host, was sent to this agent.
  [[nodiscard]] bool wasGiven(const std::string& host, const std::string& agent, const wire::Token& token) const;
  // It was sent to this agent, which has not told yet how it ended.
  [[nodiscard]] bool isOpen(const std::string& host, const std::string& agent, const wire::Token& token) const;

  // True when it belongs to the command under way, which this agent has.
  bool ended(const std::string& agent, const wire::CommandResult& result, base::MonoTime now);

  // Takes over what became of an earlier coordinator's command, where it matters to us: a restart that was done, or a
  // command that is or may still be carried out. Such a command comes before one of ours that is under way, because the
  // agent refuses ours. `askedBy`: the BMC was asked for it no later than that.
  void adopt(const std::string& agent, const wire::CommandResult& result, base::MonoTime now,
             base::MonoTime askedBy = base::MonoTime::max());

  // Under way: sent, not ended, and not older than our patience; or ended unknown, and the host may still follow.
  [[nodiscard]] const SentCommand* underWay(const std::string& host, base::MonoTime now) const;

  // Commands of this agent that are under way: host and token.
  [[nodiscard]] std::vector<wire::CommandQuery> underWayAt(const std::string& agent, base::MonoTime now) const;

  // A reading has shown the result of the command under way, whose outcome was unknown.
  void proved(const std::string& host) { commands_.erase(host); }

  // The result of the last command, once, and only while it is news. A restart that was or may have been carried out is
  // told until it is on record: no reading of the host's power would tell of it again.
  [[nodiscard]] std::optional<SentCommand> takeEnded(const std::string& host, base::MonoTime now);
  [[nodiscard]] bool lastIsOneShot(const std::string& host) const;
  [[nodiscard]] bool awaitsRecord(const std::string& host, const wire::Token& token) const;

  // The outcome of the last restart is on record, so the agent may forget it too. Returns the command, if there is one.
  [[nodiscard]] std::optional<SentCommand> restartRecorded(const std::string& host);

  // When the last command to this host was sent: what was read before says nothing any more.
  [[nodiscard]] std::optional<base::MonoTime> lastSent(const std::string& host) const;

  // This agent serves the host now. An earlier agent cannot act on it any longer, but a request that it sent to the BMC
  // may still take effect: the outcome of its command is unknown until that agent reports it.
  void handOver(const std::string& host, const std::string& agent, base::MonoTime now);

  // An operating system was asked to shut down and may still be doing so.
  [[nodiscard]] bool goesDown(const std::string& host, base::MonoTime now) const;
  void forget(const std::string& host);
  void keepHosts(const std::function<bool(const std::string& host)>& isThere);  // all others are gone

 private:
  CommandPatience patience_;
  void keep(const std::string& host, SentCommand command);
  [[nodiscard]] bool mayStillWork(const SentCommand& command, base::MonoTime now) const;

  std::map<std::string, SentCommand> commands_;
  std::map<std::string, SentCommand> inherited_;  // adopted while one of ours was on its way
  std::map<std::string, base::MonoTime> lastSent_;
  struct Given {
    wire::Token last;
    std::set<wire::Token> open;  // the last ones: an agent keeps no more results
  };
  [[nodiscard]] const Given* givenTo(const std::string& host, const std::string& agent) const;  // nullptr: nothing
  std::map<std::string, std::map<std::string, Given>> given_;  // host → agent → what it was sent
  std::map<std::string, wire::Token> recorded_;  // restarts; agents repeat what they hold until they are told
};

}  // namespace ingot::coordinator::agents
