// What the parts of the agents' service work with, and how patient they are.
#pragma once

#include "api/agent/provisioning_agent.hpp"
#include "api/bmh/baremetalhost.hpp"
#include "coordinator/agents/command_book.hpp"
#include "coordinator/agents/fact_store.hpp"
#include "coordinator/agents/hardware_book.hpp"
#include "coordinator/agents/lease_book.hpp"
#include "coordinator/agents/log_book.hpp"
#include "coordinator/agents/reading_book.hpp"
#include "coordinator/host/secret_users.hpp"
#include "coordinator/ownership/ownership.hpp"
#include "kube/client/client.hpp"
#include "kube/core/secret.hpp"
#include "kube/runtime/cache.hpp"
#include "kube/runtime/event_recorder.hpp"
#include "wire/link.hpp"

namespace ingot::coordinator::agents {

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
  std::string key = {};             // the coordinator's, by which agents know it: its fingerprint
  ReadingBook* readings = nullptr;  // nullptr: sensors are not asked for
  LogBook* logs = nullptr;          // nullptr: logs are not asked for
  HardwareBook* hardware = nullptr;
  bool agentsOnly = false;  // no backend: agents may act on a host in each of its states
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
  std::int64_t inventoryPollMs = 6LL * 3600 * 1000;  // 0: not read; over IPMI there is none
};

// Between readings, in seconds. A fact is believed for four intervals of power, three of health.
struct PollSeconds {
  double power = 5, health = 60, sensors = 120, logs = 120, inventory = 6 * 3600;
};
[[nodiscard]] AgentTiming timingFor(const PollSeconds& poll);

}  // namespace ingot::coordinator::agents
