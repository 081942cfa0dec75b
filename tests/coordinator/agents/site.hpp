// A coordinator with everything in it (host controller, Ironic backend, agents), its agents, BMCs and Ironic, in one
// process under virtual time. Coordinators and agents can die and start again; links can be cut.
#pragma once

#include "api/agent/provisioning_agent.hpp"
#include "api/bmh/baremetalhost.hpp"
#include "apiserver/embedded.hpp"
#include "base/metrics.hpp"
#include "coordinator/options.hpp"
#include "kube/client/config.hpp"
#include "kube/core/event.hpp"
#include "kube/runtime/served_kinds.hpp"
#include "kube/runtime/unreadable.hpp"
#include "tests/bmc/fake_redfish.hpp"
#include "tests/coordinator/agents/agent_life.hpp"
#include "tests/support/fake_ironic.hpp"
#include "tests/support/loop.hpp"
#include "wire/memory_link.hpp"

namespace ingot::tests {

// What outlives the processes: key, name, disk.
struct AgentBox {
  std::string name, key;
  WatchedJournal journal;
  std::unique_ptr<AgentLife> life;
};

// What a process of an agent has of the world.
struct AgentWorld {
  base::Clock* clock;
  std::unique_ptr<wire::AgentLink> link;
  net::HttpTransport* network;
  base::ProcessRunner* programs = nullptr;  // none
};

// What a process of a coordinator has of the world.
struct CoordinatorWorld {
  base::Clock* clock;
  net::HttpTransport* network;
  std::function<std::unique_ptr<wire::CoordinatorLink>(std::unique_ptr<wire::CoordinatorLink>)> link =
      {};  // in its place
};

struct CoordinatorLife {
  CoordinatorLife(base::Runtime runtime, net::HttpTransport& network);
  Alive alive = std::make_shared<bool>(true);
  MortalTransport http;
  std::unique_ptr<kube::Client> client;
  base::Metrics metrics;
  kube::ServedKinds kinds;
  coordinator::Options options;
  kube::Environment environment;
  base::TaskGroup tasks;
};

class Site {
 public:
  enum class With { ironic, fixture, agent };
  // What the API serves: hosts alone, or also Cluster API's kinds and its provider's.
  enum class Kinds { hosts, all };
  explicit Site(With backend = With::ironic, Kinds kinds = Kinds::hosts);
  ~Site();
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  // --- processes and links ---
  void startCoordinator();  // a new term
  void killCoordinator();
  [[nodiscard]] bool coordinatorRuns() const { return coordinator_ && coordinator_->tasks.running() > 0; }
  [[nodiscard]] std::int64_t leastTerm();  // of the next one, as its election asks
  AgentBox& box(const std::string& name);  // made at the first call; the key is made from the name
  void startAgent(const std::string& name);
  void killAgent(const std::string& name);  // SIGKILL
  void stopAgent(const std::string& name);  // SIGTERM
  void cut(const std::string& name) { wires.cut(box(name).key); }
  void mend(const std::string& name) { wires.mend(box(name).key); }
  void approve(const std::string& name, const std::string& specPatch = "{}");
  void changeAgent(const std::string& name, const std::string& specPatch);  // approved unless the patch says otherwise
  void removeAgent(const std::string& name);                                // its object
  // Starts an agent and has it approved, for all networks.
  void serveAll(const std::string& name);

  // --- a user's doings ---
  FakeRedfish& addBmc(const std::string& address);  // "10.0.0.1"
  void addHost(const std::string& name, const std::string& address, bool online, const std::string& password = "s3cret",
               const std::string& bootMac = "");  // "": one of its own
  void patchHost(const std::string& name, const std::string& mergePatch);
  void setOnline(const std::string& name, bool on);
  void setPassword(const std::string& name, const std::string& password);
  void removeHost(const std::string& name);
  kube::Client& user() { return *user_; }

  // --- looking ---
  [[nodiscard]] const api::BareMetalHost* host(const std::string& name) const;  // as last stored
  [[nodiscard]] std::string state(const std::string& name) const;
  [[nodiscard]] std::string powerKnown(const std::string& name) const;  // status of PowerStateKnown
  [[nodiscard]] std::optional<api::ProvisioningAgent> agentObject(const std::string& name);
  [[nodiscard]] std::vector<kube::Event> events(const std::string& namespace_);
  [[nodiscard]] std::vector<std::string> eventMessages(const std::string& namespace_, const std::string& reason);
  [[nodiscard]] std::vector<std::string> eventReasons(const std::string& namespace_);
  [[nodiscard]] int holders(const std::string& hostName);  // agents that may write to its BMC now
  [[nodiscard]] std::string uid(const std::string& name) const { return host(name)->metadata.uid; }
  [[nodiscard]] std::string metrics() const { return coordinator_->metrics.expose(); }
  FakeRedfish& bmc(const std::string& address) { return *bmcs_.at(address); }
  [[nodiscard]] int resets(const std::string& address) { return resets_[address]; }  // that agents had the BMC do
  [[nodiscard]] bool until(const std::function<bool()>& done, base::Duration limit = std::chrono::minutes(10)) {
    return loop.clock.advanceUntil(done, limit);
  }
  void pass(base::Duration time) { loop.clock.advance(time); }
  // Hosts are available, powered as wanted and known to be.
  [[nodiscard]] bool settled(const std::string& name) const;

  std::shared_ptr<base::MemorySink> said = std::make_shared<base::MemorySink>();  // by all processes
  Loop loop;
  base::Runtime runtime;
  net::Loopback network;
  FakeIronic ironic;
  wire::MemoryNetwork wires;
  std::int64_t term = 0;
  std::string bmcScheme = "redfish";                              // of the addresses of hosts
  std::map<std::string, std::string> systemAt;                    // by address: "10.0.0.9/redfish/v1/Systems/2" instead
  std::string lease = "3f2a9c1e-0000";                            // the uid of what counts the terms
  kube::Unreadable unreadable;                                    // what a coordinator is told at its start
  int workBegun = 0;                                              // by Ironic, on hosts
  std::function<void(const std::string& hostName)> onAgentWrite;  // a reset arrives at a BMC
  std::function<void(const api::BareMetalHost& host)> onHostStored;
  std::function<void(const std::string& bytes)> onCoordinatorSending;  // of the coordinators that start from now on
  // Changes what the next process of an agent gets. Empty: nothing does.
  std::function<void(AgentBox& box, AgentWorld& world)> aroundAgent;
  std::function<void(CoordinatorWorld& world)> aroundCoordinator;  // likewise
  // Violations of the single-writer rule: two parties that could act on one machine at a time. A test whose site ends
  // with any of them fails; a test that provokes some takes them out.
  std::vector<std::string> broken;

 private:
  template <class T>
  T run(base::Task<T> task) {
    return loop.run(std::move(task));
  }
  [[nodiscard]] std::string systemOf(const std::string& address) const;
  void agentWrote(const std::string& address);
  void ironicBegan(const std::string& node, const std::string& what);

  With backend_;
  std::unique_ptr<apiserver::EmbeddedApi> api_;
  std::unique_ptr<kube::Client> user_;
  std::unique_ptr<CoordinatorLife> coordinator_;
  std::map<std::string, AgentBox> boxes_;
  std::map<std::string, std::unique_ptr<FakeRedfish>> bmcs_;
  std::map<std::string, std::string> hostAt_;  // address → name
  std::map<std::string, api::BareMetalHost> hosts_;
  std::map<std::string, int> resets_;
  int boots_ = 0;
};

}  // namespace ingot::tests
