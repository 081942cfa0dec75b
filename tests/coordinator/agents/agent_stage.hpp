// What the parts of the agents' service rest on: an embedded API with hosts, and one agent's end of the link. The agent
// says and does nothing by itself.
#pragma once

#include "api/kinds/kinds.hpp"
#include "apiserver/embedded.hpp"
#include "coordinator/admission.hpp"
#include "coordinator/agents/agent_world.hpp"
#include "kube/client/config.hpp"
#include "kube/core/namespace.hpp"
#include "net/loopback.hpp"
#include "tests/support/loop.hpp"
#include "wire/codec.hpp"
#include "wire/memory_link.hpp"

namespace ingot::tests {

struct AgentStage : Loop {
  static constexpr std::int64_t term = 2;

  explicit AgentStage(int size, base::Duration packAfter = {})
      : hosts(runtime, client->api(), {.packAfter = packAfter}),
        secrets(runtime, client->api()),
        agents(runtime, client->api()) {
    kube::Namespace space;
    space.metadata.name = "metal";
    run(client->create(std::move(space)));
    for (int i = 0; i < size; ++i) addHost(i);
    hosts.start(tasks);
    secrets.start(tasks);
    agents.start(tasks);
  }
  ~AgentStage() {
    run(tasks.close());
    run(network.close());
    run(api->stop(std::chrono::seconds(1)));
  }

  [[nodiscard]] coordinator::agents::AgentWorld world() {
    return {.client = *client,
            .hosts = hosts,
            .secrets = secrets,
            .secretUsers = secretUsers,
            .agents = agents,
            .events = events,
            .link = *link,
            .ironic = [](const std::string&) { return std::nullopt; },
            .wake = [this](const kube::ObjectKey& host) { woken.push_back(host.name); },
            .term = term,
            .readings = &readings,
            .logs = &logs,
            .hardware = &hardware};
  }

  void approve(std::vector<std::string> networks = {}) {
    const json::Object spec{{"approved", true},
                            {"fingerprint", wire::fingerprint(std::string(40, 'k'))},
                            {"networks", json::Array(networks.begin(), networks.end())},
                            {"allHosts", networks.empty()}};
    run(client->patch<api::ProvisioningAgent>({"", "near"}, json::Object{{"spec", spec}}));
  }
  void patchHost(int i, const std::string& mergePatch) {
    run(client->patch<api::BareMetalHost>({"metal", fmt::format("host-{}", i)}, json::parse(mergePatch)));
  }
  void removeSecret(int i) { run(client->remove<kube::Secret>({"metal", fmt::format("host-{}-bmc", i)})); }
  [[nodiscard]] std::int64_t stamp() const { return clock.now().time_since_epoch() / std::chrono::milliseconds(1); }
  [[nodiscard]] std::string uid(int i) const { return hosts.find({"metal", fmt::format("host-{}", i)})->metadata.uid; }
  void say(const wire::Message& message) { agent->send(wire::encode(message)); }
  void sayHello(const std::string& boot = "boot-1", std::vector<std::string> ended = {},
                std::vector<std::string> capabilities = {std::string(wire::bootCapability)}) {
    say(wire::Hello{.name = "near",
                    .software = "1",
                    .boot = boot,
                    .stampMs = stamp(),
                    .ended = std::move(ended),
                    .capabilities = std::move(capabilities)});
  }
  void heartbeat() { say(wire::Heartbeat{.stampMs = stamp(), .term = term}); }

  net::Loopback network{runtime};
  wire::MemoryNetwork wires{runtime};
  std::unique_ptr<wire::AgentLink> agent = wires.agent(std::string(40, 'k'));
  std::unique_ptr<wire::CoordinatorLink> link = wires.coordinator();
  std::unique_ptr<apiserver::EmbeddedApi> api = startApi();
  std::unique_ptr<kube::Client> client = kube::connect(runtime, network, {.server = "https://api.test"});
  kube::Cache<api::BareMetalHost> hosts;
  kube::Cache<kube::Secret> secrets;
  kube::Cache<api::ProvisioningAgent> agents;
  const coordinator::host::SecretUsers secretUsers{hosts, coordinator::host::secretsNamedBy};
  kube::EventRecorder events{runtime, *client, {.component = "test"}};
  coordinator::agents::ReadingBook readings;
  coordinator::agents::LogBook logs;
  coordinator::agents::HardwareBook hardware;
  std::vector<std::string> woken;  // names of hosts
  base::TaskGroup tasks{runtime.executor, runtime.log};

 private:
  std::unique_ptr<apiserver::EmbeddedApi> startApi() {
    apiserver::EmbeddedOptions options{.definitions = api::crdsOf(api::KindSet::hosts),
                                       .admission = coordinator::admissionRules};
    options.store.commit = apiserver::StoreOptions::Commit::inLine;
    auto started = run(apiserver::EmbeddedApi::start(runtime, std::move(options)));
    network.serve("https://api.test", started->handler(), apiserver::EmbeddedApi::localAdmin());
    return started;
  }

  // Available, and off.
  void addHost(int i) {
    kube::Secret secret;
    secret.metadata.name = fmt::format("host-{}-bmc", i);
    secret.metadata.namespace_ = "metal";
    secret.data = {{"username", kube::SecretBytes("admin")}, {"password", kube::SecretBytes("secret")}};
    run(client->create(std::move(secret)));
    api::BareMetalHost host;
    host.metadata.name = fmt::format("host-{}", i);
    host.metadata.namespace_ = "metal";
    host.spec.bmc = {.address = fmt::format("redfish://10.{}.{}.1/redfish/v1/Systems/1", i / 250, i % 250),
                     .credentialsName = fmt::format("host-{}-bmc", i)};
    const auto key = host.metadata.key();
    run(client->create(std::move(host)));
    run(client->patchStatus<api::BareMetalHost>(key, json::parse(R"({"status":{"errorCount":0,"errorMessage":"",
          "operationalStatus":"OK","poweredOn":false,"provisioningFailCount":0,
          "provisioning":{"ID":"","state":"available","image":{"url":""}}}})")));
  }
};

}  // namespace ingot::tests
