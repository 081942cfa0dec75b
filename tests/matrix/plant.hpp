// Everything around the hosts of a matrix run, in one process under virtual time: the API, a coordinator that can die,
// Ironic, BMCs that misbehave, and agents that get lost.
#pragma once

#include "agent/agent.hpp"
#include "api/bmh/baremetalhost.hpp"
#include "apiserver/embedded.hpp"
#include "base/metrics.hpp"
#include "coordinator/options.hpp"
#include "kube/client/config.hpp"
#include "kube/core/secret.hpp"
#include "kube/runtime/served_kinds.hpp"
#include "tests/bmc/fake_redfish.hpp"
#include "tests/coordinator/agents/mortal.hpp"
#include "tests/matrix/tape.hpp"
#include "tests/support/fake_ironic.hpp"
#include "tests/support/loop.hpp"
#include "wire/memory_link.hpp"

namespace ingot::tests::matrix {

// Where everything stands.
inline constexpr auto apiOrigin = "https://api.test";
inline constexpr auto ironicOrigin = "http://ironic:6385";
inline constexpr auto space = "metal";
inline constexpr auto sharedAgent = "near";

// What makes a host be deployed.
inline constexpr auto deployment =
    R"({"spec":{"online":true,"image":{"url":"http://i/a.raw","checksum":"http://i/s","checksumType":"sha256","format":"raw"}}})";

enum class Agents { none, oneForAll, oneEach };
enum class Protocol { redfish, ipmi };  // of the BMCs

// A server: what its BMC shows to agents, and to Ironic.
struct Server {
  std::string address;
  FakeRedfish bmc;
  std::string password = "s3cret";  // while nothing is wrong with it
  int nodesMade = 0;                // that Ironic has had for it
  int timesOff = 0;                 // that it was switched off while the host was provisioned
  bool wasOn = false;               // when somebody last switched it
  std::optional<Fault> trouble;
  std::function<void(bool on)> onPower;  // somebody switches it
};

// One process of the coordinator.
struct CoordinatorLife {
  CoordinatorLife(base::Runtime runtime, net::HttpTransport& network, Tape& tape);
  Alive alive = std::make_shared<bool>(true);
  MortalTransport mortal;
  TapedTransport http;
  std::unique_ptr<kube::Client> client;
  base::Metrics metrics;
  kube::ServedKinds kinds;
  coordinator::Options options;
  kube::Environment environment;
  base::TaskGroup tasks;
};

class Plant {
 public:
  explicit Plant(Agents agents, Protocol protocol = Protocol::redfish);
  ~Plant();
  Plant(const Plant&) = delete;
  Plant& operator=(const Plant&) = delete;

  // A host with its BMC and Secret, as a user creates them: switched off, without an image.
  void addHost(const std::string& name);
  void patchHost(const std::string& name, const std::string& mergePatch);
  void removeHost(const std::string& name);
  void rotatePassword(const std::string& name, const std::string& password);  // in the BMC, then in the Secret

  // A second of virtual time; what died comes back, what misbehaved long enough is well again.
  void tick();

  [[nodiscard]] const api::BareMetalHost* host(const std::string& name) const;  // as last stored; nullptr: none
  [[nodiscard]] std::optional<kube::Secret> secretOf(const std::string& name);
  [[nodiscard]] Server& server(const std::string& name) { return *servers_.at(name); }
  // The same name in driver_info: "redfish_address", "ipmi_password" …
  [[nodiscard]] std::string driverKey(std::string_view what) const;
  [[nodiscard]] bool coordinatorAlive() const { return *coordinator_->alive; }
  [[nodiscard]] bool quiet(const std::string& host) const;  // nothing is out of order for it
  [[nodiscard]] std::string nodeOf(const std::string& host) const { return "metal~" + host; }
  [[nodiscard]] std::string hostOfNode(const std::string& uuid);  // also of a node that is gone; "" for a strange one
  [[nodiscard]] const std::vector<std::string>& messagesOf(const std::string& host) { return messages_[host]; }
  // What must never happen, and did.
  [[nodiscard]] const std::vector<std::string>& breaches(const std::string& host) { return breaches_[host]; }
  [[nodiscard]] bool commandRepeated() const;
  int workBegun = 0;  // by Ironic, on hosts

  Loop loop;
  base::Runtime runtime;
  net::Loopback network;
  FakeIronic ironic;
  wire::MemoryNetwork wires;
  Tape tape;

 private:
  template <class T>
  T run(base::Task<T> task) {
    return loop.run(std::move(task));
  }
  void serveApi();
  void startCoordinator();
  void endCoordinator();
  void startAgent(const std::string& name);
  void endAgent(const std::string& name);
  void strike(const std::string& host, Fault fault);
  void heal(const std::string& host, Fault fault);
  void stored(api::BareMetalHost host);
  void switched(const std::string& name, const std::string& who, bool on);
  void ironicBegan(const std::string& node, const std::string& what);
  [[nodiscard]] std::string agentOf(const std::string& host) const;

  struct Healing {
    base::MonoTime at;
    std::string host;
    Fault fault;
  };
  struct Box;  // of an agent: what outlives its processes

  Agents agents_;
  Protocol protocol_;
  std::unique_ptr<base::ProcessRunner> programs_;  // of agents
  int sweepsFail_ = 0;                             // because of so many hosts
  std::unique_ptr<apiserver::EmbeddedApi> api_;
  std::unique_ptr<kube::Client> user_;
  std::unique_ptr<CoordinatorLife> coordinator_;
  std::map<std::string, std::unique_ptr<Box>> boxes_;
  std::map<std::string, std::unique_ptr<Server>> servers_;
  std::map<std::string, api::BareMetalHost> hosts_;
  std::map<std::string, std::string> hostOfUid_, hostOfNode_;
  std::map<std::string, std::vector<std::string>> messages_, breaches_;
  std::vector<Healing> heal_;
  std::int64_t term_ = 0;
  int boots_ = 0;
};

}  // namespace ingot::tests::matrix
