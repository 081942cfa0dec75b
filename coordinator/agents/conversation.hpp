// With the agents: who is connected, who of them is approved, what is said to them and heard of them.
#pragma once

#include "base/pace.hpp"
#include "coordinator/agents/agent_world.hpp"
#include "coordinator/agents/registrar.hpp"
#include "coordinator/agents/routing.hpp"
#include "coordinator/agents/strangers.hpp"
#include "wire/codec.hpp"

#include <set>

namespace ingot::coordinator::agents {

class Conversation {
 public:
  Conversation(base::Runtime runtime, const AgentWorld& world);
  ~Conversation();

  struct Listener {
    std::function<void(Connection& from, const wire::Message& message)> message;  // from anybody who has said hello
    // An approved agent has said hello. `isReplaced`: another process than before, which cannot prove that that one is
    // over.
    std::function<void(const Connection& from, const std::string& name, bool isReplaced)> hello;
  };
  // Until cancelled.
  [[nodiscard]] base::Task<void> listen(Listener listener);

  // False: the link is down, or the message cannot be sent at all; nothing was sent.
  bool send(const Connection& to, const wire::Message& message);
  // By what the agent says that it has sent.
  void settleCredit(Connection& with, const wire::Heartbeat& heartbeat);
  // Whether it is approved, and why not.
  void sendWelcome(Connection& to);

  // nullptr: it has not said hello (to us).
  [[nodiscard]] const Connection* of(const std::string& agentName) const;
  [[nodiscard]] const Connection* of(const api::ProvisioningAgent& agent) const;
  [[nodiscard]] bool isAlive(const Connection& connection) const;
  // Of its ProvisioningAgent; "" unless approved, and for the second where there is none.
  [[nodiscard]] std::string nameOf(const Connection& connection) const;
  [[nodiscard]] std::string anyNameOf(const Connection& connection) const;
  [[nodiscard]] std::shared_ptr<const api::ProvisioningAgent> agentOf(const Connection& connection) const;
  // As the lease book knows its present process; "": it has none.
  [[nodiscard]] std::string holderOf(const std::string& agentName) const;
  [[nodiscard]] bool isApproved(const api::ProvisioningAgent& agent) const { return registrar_.isApproved(agent); }
  [[nodiscard]] bool isUsable(const api::ProvisioningAgent& agent) const;  // approved, and here
  [[nodiscard]] bool isStranger(const std::string& publicKey) const;       // neither approved nor on record
  // Those that hosts may be routed to now.
  [[nodiscard]] std::vector<AgentCandidate> candidates() const;

  // Brings the objects of agents in step with who is here, and how many hosts each serves.
  [[nodiscard]] base::Task<void> writeAgents(std::map<std::string, int> hostsByAgent);

 private:
  struct HelloRequest {
    std::string peer;
    base::MonoTime at{};
  };
  void hear(const wire::Incoming& incoming, const Listener& listener);
  void askForHello(const wire::Incoming& from);
  void greet(const wire::Incoming& from, const wire::Hello& hello, const Listener& listener);
  void take(Connection& from, const wire::Incoming& incoming, const wire::Message& message, const Listener& listener);
  void giveCredit(Connection& to);
  void turnAwayForVersion(const wire::Incoming& from, const wire::Hello& hello);
  void turnAwayForRoom(const wire::Incoming& from);
  // `words`: of it in the log.
  void turnAway(const wire::Incoming& from, base::Pace& words, const std::string& reason);
  void reportLaterTerm(const Connection& connection, const wire::Hello& hello);

  base::Runtime runtime_;
  const AgentWorld& world_;
  Roster roster_;
  Registrar registrar_;
  Strangers strangers_;
  std::map<std::string, HelloRequest> helloRequests_;  // by public key
  std::set<std::string> termTold_;                     // public keys of agents that obey a later term
  base::Pace versionWords_{std::chrono::minutes(10), 1}, roomWords_{std::chrono::minutes(10), 1};  // in the log
};

}  // namespace ingot::coordinator::agents
