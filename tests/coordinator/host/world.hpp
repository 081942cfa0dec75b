// The host controller in front of a whole API in memory, with a scripted backend, under virtual time. The controller
// can be killed at any request and started again from what is stored.
#pragma once

#include "apiserver/embedded.hpp"
#include "coordinator/host/controller.hpp"
#include "tests/coordinator/host/hosts.hpp"
#include "tests/coordinator/host/scripted_backend.hpp"
#include "tests/support/loop.hpp"

#include "net/loopback.hpp"

namespace ingot::tests {

class ScriptedFactory final : public host::ProvisionerFactory {
 public:
  explicit ScriptedFactory(Script& script) : script_(script) {}
  kube::Subscription listen(host::BackendListeners::Listener listener) override {
    return listeners_.add(std::move(listener));
  }
  base::Task<std::unique_ptr<host::Provisioner>> open(host::HostData data, host::Publish) override {
    if (!ready) throw host::ProvisionerError(host::ProvisionerError::Code::notReady, "the backend is starting");
    password = data.credentials.password.reveal();
    co_return std::make_unique<ScriptedBackend>(script_, std::move(data.reserveMachine));
  }
  void tell(const host::BackendEvent& event) { listeners_.tell(event); }

  bool ready = true;
  std::string password;  // of the last open

 private:
  Script& script_;
  host::BackendListeners listeners_;
};

// Answers 500 to the requests that it is told to fail, as an API does whose admission webhook is down.
class FailingApi final : public net::HttpHandler {
 public:
  FailingApi(net::HttpHandler& api, const std::function<bool(const net::ServerRequest&)>& failing)
      : api_(api), failing_(failing) {}
  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

 private:
  net::HttpHandler& api_;
  const std::function<bool(const net::ServerRequest&)>& failing_;
};

// One life of the controller process.
class Life {
 public:
  Life(base::Runtime runtime, net::HttpTransport& network, host::ProvisionerFactory& backends,
       std::set<kube::ObjectKey> unreadableHosts);
  ~Life();

  base::Metrics page;

 private:
  base::TaskGroup tasks_;
  friend class World;
  std::unique_ptr<kube::Client> client_;
  kube::Cache<api::BareMetalHost> hosts_;
  kube::Cache<kube::Secret> secrets_;
  host::HardwareDataCache hardware_;
  host::SecretUsers secretUsers_{hosts_, host::secretsNamedBy};
  kube::EventRecorder events_;
  host::ProvisionerPower power_;
  host::Metrics metrics_;
  host::HostController controller_;
};

class World {
 public:
  // Without admission the API takes what only a webhook refuses.
  enum class Admission { asShipped, none };
  explicit World(Admission admission = Admission::asShipped);
  ~World();

  void start();
  void kill();  // the process ends where it is

  // --- what a user does ---
  void createSecret(const std::string& name, std::map<std::string, std::string> data, bool labelled = false,
                    const std::vector<kube::OwnerReference>& owners = {});
  void labelSecret(const std::string& name, const std::string& label);
  void editSecret(const std::string& name, const std::string& key, const std::string& value);
  void create(api::BareMetalHost host);
  void patch(const std::string& mergePatch, const std::string& host = "a");
  void remove();

  // --- what there is ---
  [[nodiscard]] std::optional<api::BareMetalHost> find();
  [[nodiscard]] api::BareMetalHost get() { return find().value(); }
  [[nodiscard]] std::string state();
  [[nodiscard]] std::optional<kube::Secret> secret(const std::string& name);
  [[nodiscard]] std::optional<api::HardwareData> hardware();
  [[nodiscard]] std::vector<kube::Event> events();
  [[nodiscard]] std::vector<std::string> eventReasons();
  // Every state that a watcher has seen, in order.
  [[nodiscard]] std::vector<std::string> statesSeen();

  // Moves time until the host is in `state`; false when an hour was not enough.
  [[nodiscard]] bool reaches(const std::string& state, base::Duration limit = std::chrono::hours(1));
  [[nodiscard]] bool vanishes(base::Duration limit = std::chrono::hours(1));
  void settle(base::Duration d = std::chrono::seconds(1)) { loop.clock.advance(d); }

  Loop loop;
  Script script;
  ScriptedFactory backends{script};
  std::unique_ptr<Life> life;
  int writes = 0;                 // mutating requests of the controller, Events apart
  std::optional<int> dieAtWrite;  // this one is lost, and the process with it
  bool dead = false;
  std::set<kube::ObjectKey> unreadableHosts;               // what the controller is told at its next start
  std::map<std::string, int> failNext;                     // requests whose target contains this fail so many times
  std::function<bool(const net::ServerRequest&)> failing;  // requests of the controller that are answered with 500

 private:
  template <class T>
  T run(base::Task<T> task) {
    return loop.run(std::move(task));
  }
  void onControllerRequest(const net::HttpRequest& request);

  net::Loopback network_{loop.runtime};
  std::unique_ptr<apiserver::EmbeddedApi> api_;
  std::optional<FailingApi> failingApi_;
  std::unique_ptr<kube::Client> user_;
  std::vector<std::string> states_;
};

}  // namespace ingot::tests
