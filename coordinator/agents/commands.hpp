// The power commands that agents are given, and what came of them.
#pragma once

#include "coordinator/agents/facts.hpp"
#include "coordinator/host/power_actor.hpp"

namespace ingot::coordinator::agents {

class Commands {
 public:
  // All of it outlives the commands.
  Commands(base::Runtime runtime, const AgentWorld& world, const AgentTiming& timing, Conversation& conversation,
           Grants& grants, const Facts& facts);

  // Before the first command, with the caches synced.
  void begin();
  // What was on its way when a connection broke may be lost; an agent's results come without being asked for.
  void askAfter(const Connection& agent, const std::string& name);
  void onResult(const Connection& from, const wire::CommandResult& result);

  // Sends one command. False: no right to act (any more), or the link is down; nothing was sent.
  [[nodiscard]] bool send(const std::string& uid, bmc::PowerAction action);

  // Facts::power(), and unknown unless it was read after the agent got its right to act and after the last command was
  // sent: what a decision to change power rests on.
  [[nodiscard]] bmc::Power powerSince(const std::string& uid) const;
  // The same, and unknown while the host is on its way there: what "it is off" rests on.
  [[nodiscard]] bmc::Power provedPower(const std::string& uid) const;

  [[nodiscard]] const SentCommand* underWay(const std::string& uid) const;
  // Forgets a command whose outcome is unknown once a reading says that the host is where it was to take it.
  void settleOutcome(const std::string& uid);
  // A command is under way for long, and a reading since says that the host is as it was.
  [[nodiscard]] bool isLate(const std::string& uid) const;
  // Its operating system was asked to go down, and may still be at it.
  [[nodiscard]] bool goesDown(const std::string& uid) const { return book_.goesDown(uid, runtime_.clock.now()); }
  [[nodiscard]] std::optional<SentCommand> takeEnded(const std::string& uid);
  // The same, of what an operator asked for once.
  [[nodiscard]] std::optional<SentCommand> takeEndedOneShot(const std::string& uid);
  // How the last restart ended is on record, or concerns nobody any more: the agent may forget it.
  void restartRecorded(const std::string& uid);
  // What the user wants of the host's power is still what the pass has read.
  [[nodiscard]] bool wishStands(const host::PoweredHost& host) const;

  void handOver(const std::string& uid, const std::string& agent) { book_.handOver(uid, agent, runtime_.clock.now()); }
  void forget(const std::string& uid) { book_.forget(uid); }
  void forgetAllBut(const std::function<bool(const std::string& uid)>& isThere) { book_.keepHosts(isThere); }

 private:
  // The agent was given the command, or an earlier coordinator may have given it to the agent.
  [[nodiscard]] bool mayReport(const std::string& name, const api::BareMetalHost& host,
                               const wire::CommandResult& result) const;
  // An earlier coordinator may have sent the command for a restart that is still asked for.
  [[nodiscard]] bool isOfFormerServer(const std::string& name, const wire::CommandResult& result) const;
  [[nodiscard]] bool answersEarlierWish(const std::string& uid, const wire::Token& token) const;
  [[nodiscard]] bool isServedBy(const std::string& uid, const std::string& name) const;
  void refuseResult(const Connection& from, const api::BareMetalHost& host);
  void acknowledge(const Connection& to, const wire::CommandResult& result);

  base::Runtime runtime_;
  const AgentWorld& world_;
  Conversation& conversation_;
  Grants& grants_;
  const Facts& facts_;
  CommandBook book_;
  std::set<std::string> earlierWishes_;  // uids of hosts whose restart was asked for before our time
  std::set<std::string> foreignTold_;    // public keys of agents that spoke of a host that is not theirs
};

}  // namespace ingot::coordinator::agents
