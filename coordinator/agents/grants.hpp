// Which agent serves which host, with which right: brought in step with hosts, agents, Secrets and Ironic.
#pragma once

#include "coordinator/agents/bmc_access.hpp"
#include "coordinator/agents/conversation.hpp"
#include "coordinator/agents/ironic_requests.hpp"
#include "coordinator/agents/lease_record.hpp"
#include "coordinator/agents/reviewed_hosts.hpp"
#include "kube/runtime/index.hpp"

namespace ingot::coordinator::agents {

// What a grant is made from: another value means another grant.
struct GrantBasis {
  std::string agent, peer;
  BmcAccess access = {};
  bool mayAct = false;
  std::int64_t powerPollMs = 0;  // as often behind IPMI as anywhere while Ironic may switch the host

  friend bool operator==(const GrantBasis&, const GrantBasis&) = default;
};

// What a review of a host rested on. While it stays the same, another review would come to the same.
struct ReviewBasis {
  std::uint64_t hostChange = 0;
  std::shared_ptr<const kube::Secret> secret;
  std::uint64_t team = 0;  // generation of the agents that could serve
  ownership::Owner owner = ownership::Owner::nobody;

  friend bool operator==(const ReviewBasis&, const ReviewBasis&) = default;
};

struct Served {
  kube::ObjectKey key;
  std::string agent;       // name of the ProvisioningAgent that reads it; "" nobody
  GrantBasis granted;      // as last sent; default: nothing
  bool grantAnew = false;  // the agent may have lost it
  base::MonoTime grantedAt{};
  base::MonoTime rightSince{};                       // before it somebody else may have switched
  std::optional<ReviewBasis> settledOn;              // nothing is left to be done as long as this holds
  std::optional<base::MonoTime> withoutAccessSince;  // its Secret is no good, or there is none
  std::string toldNotCovered;  // agent that the host's annotation names and whose approval does not cover it
  std::string toldNotTrusted;  // what is wrong with what the host says of its BMC's certificate
  wire::Token accessGrant;     // the first grant with the present address and credentials
  std::string readAt;          // address of the BMC whose logs agents tell of, one agent after the other
};

// What others keep of a host rests on its grant.
struct GrantListener {
  std::function<void(const std::string& uid, const std::string& agent)> served;  // this agent serves the host now
  std::function<void(const std::string& uid)> accessChanged;                     // another BMC, or another account
  std::function<void(const std::string& uid)> addressChanged;                    // another BMC
  std::function<void(const std::string& uid)> gone;                              // there is no such host any more
};

class Grants {
 public:
  // All of it outlives the grants.
  Grants(base::Runtime runtime, const AgentWorld& world, const AgentTiming& timing, Conversation& conversation,
         GrantListener listener);

  // Before the first review, with the caches synced.
  void begin();
  // Looks at the hosts that something has changed of; each `tick` at all, because what Ironic does and who has fallen
  // silent shows only by looking. `some`: or at none, since nobody serves any.
  enum class Reviewed { some, all };
  Reviewed review();
  [[nodiscard]] base::Task<void> somethingToReview();
  // Writes down which agents may hold rights, and how the agents are; until cancelled.
  [[nodiscard]] base::Task<void> keepRecords();

  void onHello(const Connection& from, const std::string& name, bool isReplaced);
  void onHeartbeat(Connection& from, const wire::Heartbeat& heartbeat);
  void onLeaving(Connection& from);
  void onIdle(const Connection& from, const wire::Idle& idle);

  // See host::ironic_backend::Gate.
  [[nodiscard]] bool acquireBmc(const std::string& uid);
  void releaseBmc(const std::string& uid);

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
  // No agent serves the host yet, and we have led for so short a time that one that may serve it can still come.
  [[nodiscard]] bool mayStillCome(const std::string& uid) const;
  // The agent has been granted the address and credentials that host and Secret hold now.
  [[nodiscard]] bool usesPresentAccess(const std::string& uid) const;
  // Why the host may not be served, by what it says of its BMC's certificate (bmc_trust.hpp); "": it may.
  [[nodiscard]] std::string trustProblem(const kube::ObjectKey& key) const;
  [[nodiscard]] bool quiet(const std::string& uid) const;

  [[nodiscard]] const Served* find(const std::string& uid) const;  // nullptr: never reviewed
  // The host, if this agent serves it …
  [[nodiscard]] const Served* servedBy(const Connection& agent, const std::string& uid) const;
  // … and has learnt under a grant with the access that it has now: without it what was read may be another machine's.
  [[nodiscard]] const Served* learntBy(const Connection& agent, const std::string& uid, const wire::Token& grant) const;
  [[nodiscard]] bool isThere(const std::string& uid) const;  // served once, and still a host
  // Of the agent that serves the host; nullptr: nobody does.
  [[nodiscard]] const Connection* server(const std::string& uid) const;
  // Of the agent that may be asked to change something at the host's BMC now; nullptr: none may. Ownership is decided
  // now, not when the lease was given.
  [[nodiscard]] const Connection* serverToAsk(const std::string& uid) const;
  [[nodiscard]] wire::Token nextCommand(const std::string& uid) { return leases_.nextCommand(uid); }
  [[nodiscard]] std::optional<HostLease> lease(const std::string& uid) const { return leases_.find(uid); }
  // By then every lease that a coordinator before us gave has run out.
  [[nodiscard]] base::MonoTime earlierUntil() const { return earlierUntil_; }
  // Finds the host whether it was reviewed or not: results arrive with the hello, before the first review.
  [[nodiscard]] std::shared_ptr<const api::BareMetalHost> hostOf(const std::string& uid) const;
  // The agent has not got the host's last grant.
  void grantAnew(const std::string& uid);

  // 0: not asked for.
  [[nodiscard]] std::int64_t sensorPollMs(const std::string& address) const;
  [[nodiscard]] std::int64_t logPollMs(const std::string& address) const;
  [[nodiscard]] std::int64_t inventoryPollMs(const std::string& address) const;  // over IPMI there is none

 private:
  void lookAgain(const kube::ObjectKey& host);
  void lookAgainAtAll();
  void noteRecord();
  void noteSettled(const Connection& from, const wire::Heartbeat& heartbeat);
  void reportReplaced(const Connection& connection);
  [[nodiscard]] RecordNeed recordNeed(const api::ProvisioningAgent& agent) const;
  [[nodiscard]] bool isOnRecord(const std::string& agentName) const;
  [[nodiscard]] std::map<std::string, int> hostsByAgent() const;

  // review.cpp
  [[nodiscard]] Reviewed reviewAll();
  void reviewChanged();
  void forgetGoneHosts();
  void reviewHost(const kube::ObjectKey& key, const ReviewedHost& reviewed,
                  const std::vector<AgentCandidate>& candidates);
  // False: no agent is to serve the host, and none does.
  [[nodiscard]] bool decide(Served& served, const api::BareMetalHost& host, ownership::Owner owner,
                            const std::vector<AgentCandidate>& candidates);
  void noteTrust(Served& served, const api::BareMetalHost& host, bool hasAccess);
  void noteAnnotation(Served& served, const api::BareMetalHost& host);
  [[nodiscard]] std::string trustProblemOf(const api::BareMetalHost& host) const;
  [[nodiscard]] static bool isSettled(const Served& served, bool wanted, ownership::Owner owner);
  [[nodiscard]] const std::vector<AgentCandidate>& refreshTeam();  // who could serve; counts its changes
  [[nodiscard]] ReviewBasis basisOf(const ReviewedHost& host) const;
  // How the BMC is reached now; nullopt without a usable Secret.
  [[nodiscard]] std::optional<BmcAccess> accessNow(const api::BareMetalHost& host) const;
  [[nodiscard]] ownership::Owner ownerOf(const ReviewedHost& host) const;
  void serve(Served& served, const std::string& uid, BmcAccess access, ownership::Owner owner, const Connection& agent,
             const std::string& agentName);
  [[nodiscard]] bool mayBeGranted(const std::string& uid, const std::string& holder, const std::string& agentName,
                                  ownership::Owner owner) const;
  void noteAccess(Served& served, const std::string& uid, const BmcAccess& access, const wire::Token& token);
  [[nodiscard]] wire::Grant grantOf(const std::string& uid, const Served& served, const GrantBasis& basis,
                                    const wire::Token& token, const Connection& agent) const;
  void stopServing(const std::string& uid, bool forget);

  base::Runtime runtime_;
  const AgentWorld& world_;
  const AgentTiming& timing_;
  Conversation& conversation_;
  GrantListener listener_;
  LeaseBook leases_;
  LeaseRecord record_;
  IronicRequests ironic_;
  kube::Index<api::BareMetalHost, std::string> byUid_;
  ReviewedHosts hosts_;
  base::MonoTime startedAt_;
  base::MonoTime earlierUntil_;
  std::map<std::string, Served> served_;  // by uid
  std::set<kube::ObjectKey> changed_;     // hosts to look at before the next tick
  bool allChanged_ = true;
  base::MonoTime nextFull_{};
  std::vector<AgentCandidate> team_;
  std::uint64_t teamGeneration_ = 0;
  std::map<std::string, std::string> firstBoots_;  // public key → its boot as it stood on record when we saw it first
  base::Notifier review_, keepRecords_;
  kube::Subscription agentsListener_, hostsListener_, secretsListener_;
};

}  // namespace ingot::coordinator::agents
