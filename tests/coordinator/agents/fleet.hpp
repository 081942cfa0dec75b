// Many hosts that one agent is to serve, under the agents' service alone: no host controller, no Ironic, no BMCs. The
// agent says hello, takes its grants and does nothing.
#pragma once

#include "api/kinds/kinds.hpp"
#include "apiserver/embedded.hpp"
#include "coordinator/admission.hpp"
#include "coordinator/agents/service.hpp"
#include "kube/client/config.hpp"
#include "kube/core/namespace.hpp"
#include "kube/runtime/event_recorder.hpp"
#include "net/loopback.hpp"
#include "tests/support/loop.hpp"
#include "wire/memory_link.hpp"

namespace ingot::tests {

struct Fleet : Loop {
  static constexpr std::int64_t term = 2;

  // Not `served`: the service does not run, and the link is another's.
  explicit Fleet(int size, base::Duration packAfter = {}, bool served = true)
      : hosts(runtime, client->api(), {.packAfter = packAfter}),
        secrets(runtime, client->api()),
        agents(runtime, client->api()),
        service(runtime, {.client = *client,
                          .hosts = hosts,
                          .secrets = secrets,
                          .secretUsers = secretUsers,
                          .agents = agents,
                          .events = events,
                          .link = *link,
                          .ironic = [](const std::string&) { return std::nullopt; },
                          .wake = [](const kube::ObjectKey&) {},
                          .term = term,
                          .readings = &readings,
                          .logs = &logs}) {
    kube::Namespace space;
    space.metadata.name = "metal";
    run(client->create(std::move(space)));
    for (int i = 0; i < size; ++i) addHost(i);
    hosts.start(tasks);
    secrets.start(tasks);
    agents.start(tasks);
    if (served) tasks.spawn("service", service.run());
    tasks.spawn("agent", hear());
    tasks.spawn("heartbeats", live());
    clock.advance(std::chrono::seconds(5));
  }
  ~Fleet() {
    run(tasks.close());
    run(network.close());
    run(api->stop(std::chrono::seconds(1)));
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
  coordinator::agents::AgentService service;
  int grants = 0, acknowledged = 0;
  std::optional<wire::Grant> lastGrant;
  std::optional<wire::Command> lastCommand;
  std::vector<wire::LogAcknowledge> logAcknowledged;
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

  base::Task<void> hear() {
    while (true) {
      const auto message = wire::decode(co_await agent->receive());
      if (!message) continue;
      if (const auto* grant = std::get_if<wire::Grant>(&*message)) ++grants, lastGrant = *grant;
      if (const auto* command = std::get_if<wire::Command>(&*message)) lastCommand = *command;
      if (const auto* log = std::get_if<wire::LogAcknowledge>(&*message)) logAcknowledged.push_back(*log);
      if (std::holds_alternative<wire::Acknowledge>(*message)) ++acknowledged;
      if (const auto* welcome = std::get_if<wire::Welcome>(&*message); welcome && welcome->sayHello) sayHello();
    }
  }
  base::Task<void> live() {
    sayHello();
    while (true) {
      co_await clock.sleepFor(std::chrono::seconds(2));
      say(wire::Heartbeat{.stampMs = stamp(), .hosts = grants, .term = term});
    }
  }
  void sayHello() { say(wire::Hello{.name = "near", .software = "1", .boot = "boot-1", .stampMs = stamp()}); }
};

}  // namespace ingot::tests
