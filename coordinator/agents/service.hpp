// The coordinator's end of the agent link: who serves which host, with which right, and what came back.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "base/sync.hpp"
#include "coordinator/agents/boot_book.hpp"
#include "coordinator/agents/command_book.hpp"
#include "coordinator/agents/erase_book.hpp"
#include "coordinator/agents/facts.hpp"
#include "coordinator/agents/inventory_book.hpp"
#include "coordinator/agents/lease_book.hpp"
#include "coordinator/agents/lease_record.hpp"
#include "coordinator/agents/log_book.hpp"
#include "coordinator/agents/reading_book.hpp"
#include "coordinator/agents/registrar.hpp"
#include "coordinator/agents/reviewed_hosts.hpp"
#include "coordinator/agents/routing.hpp"
#include "coordinator/agents/strangers.hpp"
#include "coordinator/host/ironic/gate.hpp"
#include "coordinator/host/power_actor.hpp"
#include "coordinator/host/secret_users.hpp"
#include "coordinator/ownership/ownership.hpp"
#include "kube/core/secret.hpp"
#include "kube/runtime/index.hpp"
#include "wire/codec.hpp"
#include "wire/link.hpp"

#include <set>

namespace ingot::coordinator::agents {

struct GrantBasis;
struct ReviewBasis;

// All of it outlives the service.
struct AgentWorld {
  kube::Client& client;
  kube::Cache<api::BareMetalHost>& hosts;
  kube::Cache<kube::Secret>& secrets;
  const host::SecretUsers& secretUsers;
  kube::Cache<api::ProvisioningAgent>& agents;
  kube::EventRecorder& events;
  wire::CoordinatorLink& link;
  // What is known of the host's node; nullopt without Ironic or without a node. By status.provisioning.ID.
  std::function<std::optional<ownership::IronicView>(const std::string& nodeId)> ironic;
  std::function<void(const kube::ObjectKey&)> wake;  // something about this host is worth a reconcile
  std::int64_t term = 0;
  ReadingBook* readings = nullptr;  // nullptr: sensors are not asked for
  LogBook* logs = nullptr;          // nullptr: logs are not asked for
  bool agentsOnly = false;          // no backend: agents may act on a host in each of its states
};

struct AgentTiming {
  LeaseTerms lease;
  FactLimits facts;
  base::Duration tick = std::chrono::seconds(1);
  base::Duration rest = std::chrono::milliseconds(100);  // between two reviews at least
  CommandPatience patience;
  base::Duration afterIronic = std::chrono::seconds(3);  // after a request to Ironic, before an agent may act again
  std::int64_t powerPollMs = 5000, healthPollMs = 60000;
  std::int64_t sensorPollMs = 120000;  // 0: not read. Behind IPMI less often: ipmitool takes seconds for them
  std::int64_t logPollMs = 120000;     // likewise
};

// Between readings, in seconds. A fact is believed for four intervals of power, three of health.
struct PollSeconds {
  double power = 5, health = 60, sensors = 120, logs = 120;
};
[[nodiscard]] AgentTiming timingFor(const PollSeconds& poll);

class AgentService final : public host::ironic_backend::Gate {
 public:
  AgentService(base::Runtime runtime, AgentWorld world, AgentTiming timing = {});
  ~AgentService() override;

  // Serves until cancelled.
  [[nodiscard]] base::Task<void> run();

  // Gate: revokes the agent's lease; true once nothing of it can reach the BMC any more.
  [[nodiscard]] base::Task<bool> acquireBmc(std::string uid) override;
  void releaseBmc(const std::string& uid) override;

  // An approved and connected agent reads this host's BMC.
  [[nodiscard]] bool serves(const std::string& uid) const;
  struct Server {
    std::string name, software;  // of its ProvisioningAgent; "": nobody does
  };
  [[nodiscard]] Server serverOf(const std::string& uid) const;
  // … and holds the right to act on it now.
  [[nodiscard]] bool canCommand(const std::string& uid) const;
  // Not served yet, but an agent that is connected will be asked to.
  [[nodiscard]] bool expected(const kube::ObjectKey& host) const;
  // The agent has been granted the address and credentials that host and Secret hold now.
  [[nodiscard]] bool usesPresentAccess(const std::string& uid) const;
  // Why the host may not be served, by what it says of its BMC's certificate (bmc_trust.hpp); "": it may.
  [[nodiscard]] std::string trustProblem(const kube::ObjectKey& key) const;
  // Facts learnt with the granted address and credentials; nullptr before the first.
  [[nodiscard]] const HostFacts* facts(const std::string& uid) const;
  [[nodiscard]] bmc::Power power(const std::string& uid) const;
  // The same, and unknown unless it was read after the agent got its right to act and after the last command was sent:
  // what a decision to change power rests on.
  [[nodiscard]] bmc::Power powerSinceCommand(const std::string& uid) const;
  // The same, and unknown while the host is on its way there: what "it is off" rests on.
  [[nodiscard]] bmc::Power provedPower(const std::string& uid) const;
  [[nodiscard]] bool quiet(const std::string& uid) const;

  [[nodiscard]] const SentCommand* underWay(const std::string& uid) const;
  // Forgets a command whose outcome is unknown once a reading says that the host is where it was to take it.
  void settleOutcome(const std::string& uid);
  // A command is under way for long, and a reading since says that the host is as it was.
  [[nodiscard]] bool isLate(const std::string& uid) const;
  // Its operating system was asked to go down, and may still be at it.
  [[nodiscard]] bool goesDown(const std::string& uid) const { return commands_.goesDown(uid, runtime_.clock.now()); }
  [[nodiscard]] std::optional<SentCommand> takeEnded(const std::string& uid);
  // The same, of what an operator asked for once.
  [[nodiscard]] std::optional<SentCommand> takeEndedOneShot(const std::string& uid);
  // The agent that serves the host reads inventories, and the BMC's protocol tells one.
  [[nodiscard]] bool canReadInventory(const std::string& uid) const;
  // No agent serves the host yet, and we have led for so short a time that one that may serve it can still come.
  [[nodiscard]] bool mayStillCome(const std::string& uid) const;
  void askForInventory(const std::string& uid);
  // nullptr: none was asked for. Until forgotten.
  [[nodiscard]] const AskedInventory* askedInventory(const std::string& uid) { return inventories_.find(uid); }
  void repeatLostInventoryRequest(const std::string& uid);
  void forgetInventory(const std::string& uid) { inventories_.forget(uid); }
  // The agent that serves the host sets what hosts boot from.
  [[nodiscard]] bool preparesBoots(const std::string& uid) const;
  // Asks for this, again where that is due. Nothing is sent without the right to act.
  const AskedBoot& askForBoot(const std::string& uid, const bmc::BootPlan& plan);
  void forgetBoot(const std::string& uid) { boots_.forget(uid); }
  // The agent that serves the host erases drives.
  [[nodiscard]] bool erasesDrives(const std::string& uid) const;
  // As askForBoot().
  const AskedErasure& askForErasure(const std::string& uid, const EraseAsk& ask);
  void forgetErasure(const std::string& uid) { erasures_.forget(uid); }
  // How the last restart ended is on record, or concerns nobody any more: the agent may forget it.
  void restartRecorded(const std::string& uid);
  // What the user wants of the host's power is still what the pass has read.
  [[nodiscard]] bool wishStands(const host::PoweredHost& host) const;
  // Sends one command. False: no right to act (any more), or the link is down; nothing was sent.
  [[nodiscard]] bool command(const std::string& uid, bmc::PowerAction action);

 private:
  struct Served;
  struct IronicRequest {
    base::MonoTime at{};
    bool underWay = false;
  };

  [[nodiscard]] base::Task<void> listen();
  [[nodiscard]] base::Task<void> keepInStep();
  [[nodiscard]] base::Task<void> keepRecords();

  void handle(Connection& from, const wire::Message& message);
  void askForHello(const wire::Incoming& from);
  void greet(const wire::Incoming& from, const wire::Hello& hello);
  void turnAway(const wire::Incoming& from);
  void onHeartbeat(Connection& from, const wire::Heartbeat& heartbeat);
  void onFacts(Connection& from, const wire::Facts& facts);
  void onResult(const Connection& from, const wire::CommandResult& result);
  void onLeaving(Connection& from);
  void onIdle(const Connection& from, const wire::Idle& idle);
  void onInventory(const Connection& from, const wire::InventoryResult& result);
  void onBoot(const Connection& from, const wire::BootResult& result);
  void onErasure(const Connection& from, const wire::EraseReport& report);
  // Of the agent that may be asked to change something at the host's BMC now; nullptr: none may.
  [[nodiscard]] const Connection* connectionToAsk(const std::string& uid) const;
  void onSensors(const Connection& from, const wire::SensorFacts& facts);
  void onLog(const Connection& from, const wire::LogFacts& facts);
  void forgetReadings(const std::string& uid);
  void noteReading(const std::string& uid, const kube::ObjectKey& host);
  [[nodiscard]] std::int64_t sensorPollMs(const std::string& address) const;  // 0: not asked for
  [[nodiscard]] std::int64_t logPollMs(const std::string& address) const;     // 0: not asked for
  // The host, if this agent serves it and has learnt under a grant with the access that it has now.
  [[nodiscard]] const Served* servedBy(const Connection& agent, const std::string& uid, const wire::Token& grant) const;
  void sendWelcome(Connection& to);
  // The agent was given the command, or an earlier coordinator may have given it to the agent.
  [[nodiscard]] bool mayReport(const std::string& name, const api::BareMetalHost& host,
                               const wire::CommandResult& result) const;
  // An earlier coordinator may have sent the command for a restart that is still asked for.
  [[nodiscard]] bool isOfFormerServer(const std::string& name, const wire::CommandResult& result) const;
  [[nodiscard]] bool answersEarlierWish(const std::string& uid, const wire::Token& token) const;
  void noteEarlierWishes();
  void refuseResult(const Connection& from, const api::BareMetalHost& host);
  [[nodiscard]] std::shared_ptr<const api::BareMetalHost> hostOf(const std::string& uid) const;

  void reviewAll();
  void reviewChanged();
  void lookAgain(const kube::ObjectKey& host);
  void lookAgainAtAll();
  void noteRecord();
  [[nodiscard]] RecordNeed recordNeed(const api::ProvisioningAgent& agent) const;
  [[nodiscard]] bool isUsable(const api::ProvisioningAgent& agent) const;  // approved, and here
  [[nodiscard]] bool isOnRecord(const std::string& agentName) const;
  void askAfterCommands(const Connection& agent, const std::string& name);
  void review(const kube::ObjectKey& key, const ReviewedHost& reviewed, const std::vector<AgentCandidate>& candidates);
  // False: no agent is to serve the host, and none does.
  [[nodiscard]] bool decide(Served& served, const api::BareMetalHost& host, ownership::Owner owner,
                            const std::vector<AgentCandidate>& candidates);
  [[nodiscard]] std::string trustProblemOf(const api::BareMetalHost& host) const;
  void noteTrust(Served& served, const api::BareMetalHost& host, bool hasAccess);
  void noteAnnotation(Served& served, const api::BareMetalHost& host);
  [[nodiscard]] static bool isSettled(const Served& served, bool wanted, ownership::Owner owner);
  // `basis`: how the BMC is reached now.
  void serve(Served& served, const std::string& uid, GrantBasis basis, ownership::Owner owner, const Connection& agent,
             const std::string& agentName);
  void stopServing(const std::string& uid, bool forget);
  [[nodiscard]] std::vector<AgentCandidate> candidates() const;
  [[nodiscard]] const std::vector<AgentCandidate>& refreshTeam();  // the same, and counts its changes
  [[nodiscard]] ReviewBasis basisOf(const ReviewedHost& host) const;
  // How the BMC is reached now; nullopt without a usable Secret.
  [[nodiscard]] std::optional<GrantBasis> accessNow(const api::BareMetalHost& host) const;
  [[nodiscard]] ownership::Owner ownerOf(const ReviewedHost& host) const;
  [[nodiscard]] bool ironicRequested(const std::string& uid) const;
  [[nodiscard]] const Connection* connectionOf(const std::string& agentName) const;
  [[nodiscard]] bool isStranger(const std::string& publicKey) const;     // neither approved nor on record
  [[nodiscard]] std::string nameOf(const Connection& connection) const;  // of its ProvisioningAgent; "" unless approved
  [[nodiscard]] std::string anyNameOf(const Connection& connection) const;  // approved or not
  [[nodiscard]] std::string holderOf(const std::string& agentName) const;   // as the lease book knows it
  void noteSettled(const Connection& from, const wire::Heartbeat& heartbeat);
  void reportConflicts(const Connection& connection, const wire::Hello& hello, bool replaced);
  [[nodiscard]] const Served* findServed(const std::string& uid) const;

  bool send(const Connection& to, const wire::Message& message);

  base::Runtime runtime_;
  AgentWorld world_;
  AgentTiming timing_;
  Roster roster_;
  Registrar registrar_;
  Strangers strangers_;
  LeaseBook leases_;
  LeaseRecord record_;
  FactStore facts_;
  CommandBook commands_;
  InventoryBook inventories_;
  BootBook boots_;
  EraseBook erasures_;
  kube::Index<api::BareMetalHost, std::string> byUid_;
  ReviewedHosts hosts_;
  base::MonoTime startedAt_;
  base::MonoTime earlierUntil_;                          // no lease of a coordinator before us lasts longer
  std::set<std::string> earlierWishes_;                  // uids of hosts whose restart was asked for before our time
  std::map<std::string, Served> served_;                 // by uid
  std::map<std::string, IronicRequest> ironicRequests_;  // by uid: the last one that the BMC was acquired for
  std::set<kube::ObjectKey> changed_;                    // hosts to look at before the next tick
  bool allChanged_ = true;
  std::vector<AgentCandidate> team_;
  std::uint64_t teamGeneration_ = 0;
  std::map<std::string, std::string> firstBoots_;  // public key → its boot as it stood on record when we saw it first
  std::set<std::string> termTold_;                 // public keys of agents that obey a later term
  std::set<std::string> foreignTold_;              // … and of those that spoke of a host that is not theirs
  std::optional<base::MonoTime> turnedAwayTold_;
  struct HelloRequest {
    std::string peer;
    base::MonoTime at{};
  };
  std::map<std::string, HelloRequest> helloRequests_;  // by public key
  base::Notifier review_, keepRecords_;
  kube::Subscription agentsListener_, hostsListener_, secretsListener_;
};

}  // namespace ingot::coordinator::agents
