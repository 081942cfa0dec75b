// What it costs the coordinator to look after 5,000 hosts that an agent serves: the review of each second when all is
// settled (goal: 50 ms of CPU), and the one that grants them all.
#include "api/kinds/kinds.hpp"
#include "apiserver/embedded.hpp"
#include "coordinator/admission.hpp"
#include "coordinator/agents/service.hpp"
#include "kube/client/config.hpp"
#include "kube/core/namespace.hpp"
#include "kube/runtime/event_recorder.hpp"
#include "net/loopback.hpp"
#include "tests/bench/cpu_clock.hpp"
#include "tests/support/loop.hpp"
#include "wire/memory_link.hpp"

#include <cstdio>

namespace {

using namespace ingot;
using namespace std::chrono_literals;

constexpr int kHosts = 5'000;
constexpr int kSeconds = 20;

struct Plant : tests::Loop {
  Plant() : network(runtime), wires(runtime), agentEnd(wires.agent(std::string(40, 'k'))) {
    apiserver::EmbeddedOptions options{.definitions = api::crdsOf(api::KindSet::hosts),
                                       .admission = coordinator::admissionRules};
    options.store.commit = apiserver::StoreOptions::Commit::inLine;
    api = run(apiserver::EmbeddedApi::start(runtime, std::move(options)));
    network.serve("https://api.bench", api->handler(), apiserver::EmbeddedApi::localAdmin());
    client = kube::connect(runtime, network, {.server = "https://api.bench"});
    kube::Namespace space;
    space.metadata.name = "metal";
    run(client->create(std::move(space)));
  }
  ~Plant() {
    run(tasks.close());
    client.reset();
    run(network.close());
    run(api->stop(1s));
  }

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
    run(client->create(std::move(host)));
    run(client->patchStatus<api::BareMetalHost>({"metal", fmt::format("host-{}", i)},
                                                json::parse(R"({"status":{"errorCount":0,"errorMessage":"",
          "operationalStatus":"OK","poweredOn":false,"provisioningFailCount":0,
          "provisioning":{"ID":"","state":"available","image":{"url":""}}}})")));
  }

  // An agent that says hello and lives; it takes its grants and does nothing.
  base::Task<void> agent() {
    while (true) {
      const auto message = wire::decode(co_await agentEnd->receive());
      if (!message) continue;
      if (std::holds_alternative<wire::Grant>(*message)) ++grants;
      if (const auto* welcome = std::get_if<wire::Welcome>(&*message); welcome && welcome->sayHello) sayHello();
    }
  }
  void sayHello() {
    agentEnd->send(wire::encode(wire::Hello{.name = "near", .software = "1", .boot = "boot-1", .stampMs = stamp()}));
  }
  base::Task<void> heartbeats() {
    sayHello();
    while (true) {
      co_await clock.sleepFor(2s);
      agentEnd->send(wire::encode(wire::Heartbeat{.stampMs = stamp(), .hosts = grants, .term = 1}));
    }
  }
  [[nodiscard]] std::int64_t stamp() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(clock.now().time_since_epoch()).count();
  }

  net::Loopback network;
  wire::MemoryNetwork wires;
  std::unique_ptr<wire::AgentLink> agentEnd;
  std::unique_ptr<apiserver::EmbeddedApi> api;
  std::unique_ptr<kube::Client> client;
  base::TaskGroup tasks{runtime.executor, runtime.log};
  int grants = 0;
};

}  // namespace

int main() {
  Plant plant;
  for (int i = 0; i < kHosts; ++i) plant.addHost(i);

  auto link = plant.wires.coordinator();
  kube::Cache<api::BareMetalHost> hosts(plant.runtime, plant.client->api());
  kube::Cache<kube::Secret> secrets(plant.runtime, plant.client->api());
  const coordinator::host::SecretUsers secretUsers(hosts, coordinator::host::secretsNamedBy);
  kube::Cache<api::ProvisioningAgent> agents(plant.runtime, plant.client->api());
  kube::EventRecorder events(plant.runtime, *plant.client, {.component = "bench"});
  coordinator::agents::AgentService service(plant.runtime, {.client = *plant.client,
                                                            .hosts = hosts,
                                                            .secrets = secrets,
                                                            .secretUsers = secretUsers,
                                                            .agents = agents,
                                                            .events = events,
                                                            .link = *link,
                                                            .ironic = [](const std::string&) { return std::nullopt; },
                                                            .wake = [](const kube::ObjectKey&) {},
                                                            .term = 1});
  hosts.start(plant.tasks);
  secrets.start(plant.tasks);
  agents.start(plant.tasks);
  plant.tasks.spawn("service", service.run());
  plant.tasks.spawn("agent", plant.agent());
  plant.tasks.spawn("heartbeats", plant.heartbeats());

  plant.clock.advance(5s);
  plant.run(plant.client->patch<api::ProvisioningAgent>({"", "near"}, json::parse(R"({"spec":{"approved":true}})")));
  auto start = tests::CpuClock::now();
  if (!plant.clock.advanceUntil([&] { return plant.grants >= kHosts; }, 1min)) {
    fmt::print("only {} of {} hosts were granted\n", plant.grants, kHosts);
    return 1;
  }
  fmt::print("granting {} hosts: {:.0f} ms\n", kHosts, tests::CpuClock::millisecondsSince(start));

  plant.clock.advance(60s);  // rights to act have come, and nothing is left to do
  start = tests::CpuClock::now();
  plant.clock.advance(std::chrono::seconds(kSeconds));
  fmt::print("a second with {} settled hosts: {:.1f} ms ({} grants in all)\n", kHosts,
             tests::CpuClock::millisecondsSince(start) / kSeconds, plant.grants);
  plant.run(plant.tasks.close());
}
