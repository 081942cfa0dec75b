// The agent: registers with the coordinator, keeps a session for each host that it is granted, and routes messages to
// it.
#pragma once

#include "agent/host_session.hpp"
#include "agent/outbox.hpp"
#include "wire/link.hpp"

#include <map>
#include <set>

namespace ingot::agent {

struct AgentSettings {
  std::string name;
  std::string boot;                // new at each start
  std::vector<std::string> ended;  // earlier boots whose processes have certainly ended (boots.hpp)
  SessionSettings session;
  bmc::RememberedFiles remembered;
  std::string logPositions;                       // file of what was told of logs (log_positions.hpp); "": none
  std::string erasures;                           // folder of the records of erasures (erasure_records.hpp); "": none
  std::shared_ptr<base::Offload> disk = nullptr;  // writes these files; nullptr: the loop does
  base::Duration helloInterval = std::chrono::seconds(2);  // while nobody has answered
};

class Agent {
 public:
  // Everything lent outlives the agent. Loads the journal's leftovers at once.
  Agent(base::Runtime runtime, wire::AgentLink& link, bmc::Transports transports, JournalStore& journal,
        AgentSettings settings);
  ~Agent();  // after run() has ended

  // Serves until it is cancelled, then closes every session (logs out, wipes credentials). Throws when it cannot
  // continue.
  [[nodiscard]] base::Task<void> run();

  [[nodiscard]] std::size_t hosts() const { return sessions_.size(); }
  [[nodiscard]] bool approved() const { return approved_; }
  struct Standing {
    bool connected = false, approved = false;
    bool isJournalWritable = true;  // the last time that was tried
    std::size_t queued = 0;         // messages that wait until the coordinator takes them
    std::int64_t dropped = 0;       // … that were given up instead
    std::vector<HostSession::Standing> hosts;
  };
  [[nodiscard]] Standing standing() const;
  // Called with what sessions tell the coordinator. Empty: nobody is.
  void whenTold(std::function<void(const wire::Message&)> call) { whenTold_ = std::move(call); }

  // Some session, perhaps one that is being closed, still holds credentials.
  [[nodiscard]] bool keepsCredentials() const { return !sessions_.empty() || !closingSessions_.empty(); }
  // The agent holds the lease of this host, or a request to its BMC is in flight.
  [[nodiscard]] bool actsOn(const std::string& host) const;

 private:
  // What is done once the session is closed: one host has one session at a time.
  struct ClosingSession {
    std::shared_ptr<HostSession> session;
    std::optional<wire::Grant> next;
    base::MonoTime nextUntil{};
    std::optional<wire::Revoke> pendingRevoke;
  };

  [[nodiscard]] base::Task<void> listen();
  [[nodiscard]] base::Task<void> sendHeartbeats();
  [[nodiscard]] base::Task<void> retryJournal();
  void tellJournalTrouble() const;
  void handle(const wire::Message& message);
  void on(const wire::Welcome& welcome);
  void on(const wire::Grant& grant);
  void on(const wire::Renew& renew);
  void on(const wire::Revoke& revoke);
  void on(const wire::Command& command);
  void on(const wire::CommandQuery& query);
  void on(const wire::Acknowledge& acknowledge);
  void on(const wire::SnapshotRequest& request);
  void on(const wire::InventoryRequest& request);
  void on(const wire::BootRequest& request);
  void on(const wire::EraseRequest& request);
  void on(const wire::LogAcknowledge& acknowledge);
  void on(const wire::Credit& credit) { outbox_.take(credit); }
  template <class Other>
  void on(const Other&) {}  // what only agents say

  void open(const wire::Grant& grant, base::MonoTime until);
  bool sendHello();  // false: the link is down
  bool sendHeartbeat();
  void adoptTerm(std::int64_t term);
  [[nodiscard]] base::Task<void> recordTerm();
  [[nodiscard]] base::Task<void> tell(wire::CommandResult result);
  void reportIdleHosts();
  [[nodiscard]] bool isWriting(const std::string& host) const;
  [[nodiscard]] bool isIdle(const std::string& host) const;
  void recordInFlight();
  [[nodiscard]] MachineTime machineTime() const { return {settings_.session.machineBoot, runtime_.clock.now()}; }
  bool send(const wire::Message& message) { return outbox_.send(message); }
  void drop(const std::string& host);
  void wipeAll(const std::string& why);
  [[nodiscard]] base::Task<void> closeSession(std::string host, std::shared_ptr<HostSession> session);
  [[nodiscard]] std::int64_t stamp() const;
  [[nodiscard]] base::MonoTime leaseEnd(std::int64_t echoMs, std::int64_t ttlMs) const;

  base::Runtime runtime_;
  wire::AgentLink& link_;
  bmc::Transports transports_;
  Journal journal_;
  AgentSettings settings_;
  base::MonoTime started_;
  Outbox outbox_;
  std::map<std::string, std::shared_ptr<HostSession>> sessions_;
  std::map<std::string, ClosingSession> closingSessions_;  // by host
  base::TaskGroup closing_;
  std::function<void(const wire::Message&)> whenTold_;
  bool welcomed_ = false;
  bool approved_ = false;
  bool isEnding_ = false;
  std::string lastReason_;  // of the coordinator, for what it has answered
  std::int64_t heartbeats_ = 0;
  std::int64_t highestTerm_ = 0;
  std::int64_t reportedTerm_ = 0;   // by the last heartbeat
  bool recordsTerm_ = false;        // it is being written down
  std::set<std::string> inFlight_;  // hosts on which a command of an earlier term may still be in flight
  base::Duration heartbeat_ = std::chrono::seconds(2);
};

}  // namespace ingot::agent
