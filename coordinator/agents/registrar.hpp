// ProvisioningAgent objects: an unknown key shows up as pending, an operator approves, status says how it is.
#pragma once

#include "api/agent/provisioning_agent.hpp"
#include "base/runtime.hpp"
#include "coordinator/agents/roster.hpp"
#include "kube/client/client.hpp"
#include "kube/runtime/cache.hpp"
#include "kube/runtime/event_recorder.hpp"

#include <set>

namespace ingot::coordinator::agents {

struct RegistrarLimits {
  std::size_t mostPending = 100;  // unapproved agents; strangers may not fill the store
  base::Duration betweenNew = std::chrono::seconds(1);
  base::Duration betweenStatus = std::chrono::seconds(10);
  base::Duration betweenStatusOfPending = std::chrono::minutes(1);
  base::Duration forgottenAfter = std::chrono::hours(1);  // a pending agent that is gone makes room for another
  base::Duration grace = std::chrono::seconds(10);        // for agents to come back to a new coordinator
};

enum class Standing { approved, pending, refused };

struct Admission {
  Standing standing = Standing::refused;
  std::string reason;
  std::string agent;  // name of the ProvisioningAgent; "" when there is none
};

// "Rack A.example" → "rack-a.example": a name that Kubernetes takes. "" when nothing usable is left.
[[nodiscard]] std::string objectName(const std::string& agentName);

class Registrar {
 public:
  // All of it outlives the registrar.
  Registrar(base::Runtime runtime, kube::Client& client, kube::Cache<api::ProvisioningAgent>& cache,
            kube::EventRecorder& events, RegistrarLimits limits = {});

  // What the cache says of this key; an unknown one is queued for creation.
  [[nodiscard]] Admission admit(const Connection& connection);

  // The ProvisioningAgent with this key; nullptr when there is none.
  [[nodiscard]] std::shared_ptr<const api::ProvisioningAgent> find(const std::string& publicKey) const;

  // As agents::isApproved of the cache's object, which is judged once for each change of it: this is asked for each
  // message.
  [[nodiscard]] bool isApproved(const api::ProvisioningAgent& agent) const {
    return approved_.contains(agent.metadata.key());
  }

  // Writes what has changed, at a bounded rate; failures are tried again at the next call.
  [[nodiscard]] base::Task<void> write(const Roster& roster, const std::map<std::string, int>& hostsByAgent);

 private:
  void index(const kube::Cache<api::ProvisioningAgent>::Change& change);
  [[nodiscard]] base::Task<void> makeRoom();
  [[nodiscard]] base::Task<void> completeApproval(std::shared_ptr<const api::ProvisioningAgent> agent);
  [[nodiscard]] base::Task<void> createPending(Connection connection);
  [[nodiscard]] base::Task<void> writeStatus(std::shared_ptr<const api::ProvisioningAgent> agent,
                                             const Connection* connection, bool alive, int hosts);

  base::Runtime runtime_;
  base::MonoTime started_;
  kube::Client& client_;
  kube::Cache<api::ProvisioningAgent>& cache_;
  kube::EventRecorder& events_;
  RegistrarLimits limits_;
  std::map<std::string, std::set<kube::ObjectKey>> byKey_;  // public key → objects that carry it
  std::set<kube::ObjectKey> approved_;
  std::map<std::string, Connection> wanted_;  // key → the agent that wants an object
  std::set<std::string> refusalsTold_;
  std::set<std::string> completed_;  // uids of agents whose approval of the old form was completed
  std::optional<base::MonoTime> lastCreated_;
  std::map<std::string, base::MonoTime> lastStatus_;  // agent name → when its status was written
  kube::Subscription subscription_;
};

}  // namespace ingot::coordinator::agents
