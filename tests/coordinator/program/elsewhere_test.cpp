// A process that has machines and no hosts looks whether agents obey another one, before it has hosts moved.
#include "coordinator/agents/elsewhere.hpp"

#include "api/kinds/kinds.hpp"
#include "apiserver/embedded.hpp"
#include "base/log.hpp"
#include "coordinator/admission.hpp"
#include "kube/client/client.hpp"
#include "kube/client/config.hpp"
#include "net/loopback.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using api::ProvisioningAgent;
using coordinator::agents::Elsewhere;

namespace {

struct BesideAgents : tests::Loop {
  explicit BesideAgents(std::vector<json::Object> definitions) {
    apiserver::EmbeddedOptions options{.definitions = std::move(definitions),
                                       .converters = coordinator::kindConverters()};
    options.store.commit = apiserver::StoreOptions::Commit::inLine;
    api = run(apiserver::EmbeddedApi::start(runtime, std::move(options)));
    network.serve("https://api.test", api->handler(), apiserver::EmbeddedApi::localAdmin());
    client = kube::connect(runtime, network, {.server = "https://api.test"});
    elsewhere.emplace(logging, client->api());
  }
  ~BesideAgents() {
    run(tasks.close());
    elsewhere.reset();
    client.reset();
    run(network.close());
    run(api->stop(1s));
  }
  void watch() {
    elsewhere->start(tasks);
    clock.advance(1s);
  }
  void add(const std::string& name, bool approved) {
    ProvisioningAgent agent;
    agent.metadata.name = name;
    agent.spec = {.publicKey = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID", .approved = approved};
    if (approved) agent.spec.fingerprint = "a fingerprint", agent.spec.allHosts = true;
    run(client->create(std::move(agent)));
    clock.advance(1s);
  }
  [[nodiscard]] std::size_t told(std::string_view text = "no host can be moved") const {
    return static_cast<std::size_t>(
        std::ranges::count_if(sink->lines(), [&](const auto& line) { return line.find(text) != std::string::npos; }));
  }

  std::shared_ptr<base::MemorySink> sink = std::make_shared<base::MemorySink>();
  base::Runtime logging{io.get_executor(), clock, *random, base::Log(sink, "test")};
  net::Loopback network{runtime};
  std::unique_ptr<apiserver::EmbeddedApi> api;
  std::unique_ptr<kube::Client> client;
  std::optional<Elsewhere> elsewhere;
  base::TaskGroup tasks{runtime.executor, runtime.log};
};

}  // namespace

TEST_CASE("agents that are approved serve hosts for another process, which is told once", "[agents]") {
  BesideAgents site(api::everyCrd());
  CHECK(site.elsewhere->serveHosts());  // nothing is known yet
  site.watch();
  CHECK_FALSE(site.elsewhere->serveHosts());
  site.add("new", false);
  CHECK_FALSE(site.elsewhere->serveHosts());
  CHECK(site.told() == 0);
  site.add("near", true);
  CHECK(site.elsewhere->serveHosts());
  CHECK(site.elsewhere->serveHosts());
  CHECK(site.told() == 1);
  CHECK(site.told(
            "no host can be moved to another cluster from here: agents obey the coordinator of another process") == 1);
}

TEST_CASE("where the kind of agents is not installed there are none", "[agents]") {
  BesideAgents site(api::crdsOf(api::KindSet::clusterApi));
  site.watch();
  CHECK_FALSE(site.elsewhere->serveHosts());
}
