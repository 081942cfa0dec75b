// What agents tell of the hosts that they serve: power, health, sensors, logs.
#pragma once

#include "coordinator/agents/grants.hpp"

namespace ingot::coordinator::agents {

class Facts {
 public:
  // All of it outlives the facts.
  Facts(base::Runtime runtime, const AgentWorld& world, const AgentTiming& timing, Conversation& conversation,
        Grants& grants);

  enum class Taken { whole, gap };
  // A gap: some that were told before were lost on the way, and with them maybe how commands ended.
  Taken onFacts(Connection& from, const wire::Facts& facts);
  Taken onStillFresh(Connection& from, const wire::StillFresh& fresh);
  void onSensors(const Connection& from, const wire::SensorFacts& facts);
  void onLog(const Connection& from, const wire::LogFacts& facts);
  void onHardware(const Connection& from, wire::HardwareFacts facts);

  // Facts learnt with the granted address and credentials; nullptr before the first.
  [[nodiscard]] const HostFacts* find(const std::string& uid) const;
  [[nodiscard]] bmc::Power power(const std::string& uid) const;
  // Unknown when it is not fresh.
  [[nodiscard]] bmc::Health health(const std::string& uid) const;
  // Of the health, also of a host that no agent serves any more.
  enum class Knowledge : std::uint8_t {
    none,  // nobody has told of it, or its BMC has none
    old,
    fresh,
  };
  [[nodiscard]] Knowledge knowledgeOfHealth(const std::string& uid) const;

  // Wakes the hosts of which nobody knows any more whether they are on, or well.
  void wakeExpired();
  void forget(const std::string& uid);
  void forgetReadings(const std::string& uid);
  void forgetLogs(const std::string& uid);

 private:
  // The host, if this agent serves it; else it is told to let go of it.
  const Served* servedOrRevoked(const Connection& from, const std::string& uid);
  [[nodiscard]] std::optional<wire::Token> latestGrant(const std::string& uid) const;
  void took(const Connection& from, const Served& served, const std::string& uid, const FactStore::Learned& learned);
  void noteReading(const std::string& uid, const kube::ObjectKey& host);

  base::Runtime runtime_;
  const AgentWorld& world_;
  const AgentTiming& timing_;
  Conversation& conversation_;
  Grants& grants_;
  FactStore store_;
};

}  // namespace ingot::coordinator::agents
