// What an agent says of hosts that nobody knows.
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

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;

namespace {

constexpr int manyHosts = 100, manyResults = 300;

struct CrowdedSite : tests::Loop {
  CrowdedSite() {
    apiserver::EmbeddedOptions options{.definitions = api::crdsOf(api::KindSet::hosts),
                                       .admission = coordinator::admissionRules};
    options.store.commit = apiserver::StoreOptions::Commit::inLine;
    api = run(apiserver::EmbeddedApi::start(runtime, std::move(options)));
    network.serve("https://api.test", api->handler(), apiserver::EmbeddedApi::localAdmin());
    client = kube::connect(runtime, network, {.server = "https://api.test"});
    api::ProvisioningAgent near;
    near.metadata.name = "near";
    near.spec.publicKey = std::string(40, 'k');
    near.spec.approved = true;
    run(client->create(std::move(near)));
    kube::Namespace space;
    space.metadata.name = "metal";
    run(client->create(std::move(space)));
    for (int i = 0; i < manyHosts; ++i) {
      api::BareMetalHost host;
      host.metadata.name = fmt::format("host-{}", i);
      host.metadata.namespace_ = "metal";
      run(client->create(std::move(host)));
    }
  }
  ~CrowdedSite() {
    run(tasks.close());
    client.reset();
    run(network.close());
    run(api->stop(1s));
  }

  base::Task<void> hear() {
    while (true) {
      const auto message = wire::decode(co_await agent->receive());
      if (message && std::holds_alternative<wire::Acknowledge>(*message)) ++acknowledged;
    }
  }
  void tellOfNobody() {
    for (int i = 0; i < manyResults; ++i)
      agent->send(wire::encode(wire::CommandResult{
          .host = fmt::format("nobody-{}", i), .token = {1, 1, 1}, .outcome = "failed", .action = "on"}));
  }

  net::Loopback network{runtime};
  wire::MemoryNetwork wires{runtime};
  std::unique_ptr<wire::AgentLink> agent = wires.agent(std::string(40, 'k'));
  std::unique_ptr<apiserver::EmbeddedApi> api;
  std::unique_ptr<kube::Client> client;
  base::TaskGroup tasks{runtime.executor, runtime.log};
  int acknowledged = 0;
};

}  // namespace

TEST_CASE("a result of a host that nobody knows is acknowledged: its agent may forget it") {
  CrowdedSite plant;
  auto link = plant.wires.coordinator();
  kube::Cache<api::BareMetalHost> hosts(plant.runtime, plant.client->api());
  kube::Cache<kube::Secret> secrets(plant.runtime, plant.client->api());
  const coordinator::host::SecretUsers secretUsers(hosts, coordinator::host::secretsNamedBy);
  kube::Cache<api::ProvisioningAgent> agents(plant.runtime, plant.client->api());
  kube::EventRecorder events(plant.runtime, *plant.client, {.component = "test"});
  coordinator::agents::AgentService service(plant.runtime, {.client = *plant.client,
                                                            .hosts = hosts,
                                                            .secrets = secrets,
                                                            .secretUsers = secretUsers,
                                                            .agents = agents,
                                                            .events = events,
                                                            .link = *link,
                                                            .ironic = [](const std::string&) { return std::nullopt; },
                                                            .wake = [](const kube::ObjectKey&) {},
                                                            .term = 2});
  hosts.start(plant.tasks);
  secrets.start(plant.tasks);
  agents.start(plant.tasks);
  plant.tasks.spawn("service", service.run());
  plant.tasks.spawn("agent", plant.hear());
  plant.clock.advance(5s);
  plant.agent->send(wire::encode(wire::Hello{.name = "near", .software = "1", .boot = "b"}));
  plant.clock.advance(1min);

  plant.tellOfNobody();
  plant.clock.advance(6s);
  CHECK(plant.acknowledged == manyResults);
  plant.run(plant.tasks.close());
}
