// Beside an installation of Metal3, whose Deployments and Leases are in the API.
#include "coordinator/managers/standby.hpp"

#include "kube/core/error.hpp"
#include "tests/support/api_site.hpp"
#include "tests/support/kubernetes_kind.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using namespace coordinator::managers;
using Catch::Matchers::Contains;
using coordinator::Part;

constexpr auto provider = "controller-leader-election-capm3";

// The API, whose Deployments may be for others only.
class Door final : public net::HttpHandler {
 public:
  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    if (isShut && request.path().starts_with("/apis/apps/")) co_return co_await out.send({.status = 403});
    co_await inside->handle(std::move(request), out);
  }
  net::HttpHandler* inside = nullptr;
  bool isShut = false;
};

struct Cluster : Loop {
  explicit Cluster(std::vector<json::Object> definitions = {kubernetesKind(Deployment::info)}) {
    apiserver::EmbeddedOptions options{.definitions = std::move(definitions)};
    options.store.commit = apiserver::StoreOptions::Commit::inLine;
    api = run(apiserver::EmbeddedApi::start(runtime, std::move(options)));
    door.inside = &api->handler();
    network.serve("https://api.test", door, apiserver::EmbeddedApi::localAdmin());
    client = kube::connect(runtime, network, {.server = "https://api.test"});
    for (const char* name : {"ingot-system", "capm3-system", "other"}) {
      kube::Namespace space;
      space.metadata.name = name;
      run(client->create(std::move(space)));
    }
  }
  ~Cluster() {
    stop();
    client.reset();
    run(network.close());
    run(api->stop(1s));
  }

  void start(coordinator::Parts parts = {Part::host, Part::machine, Part::ipam}) {
    standby = std::make_unique<Standby>(runtime, *client,
                                        StandbyOptions{.leases = {.managers = managersOf(parts),
                                                                  .namespace_ = "ingot-system",
                                                                  .installation = "ingot-system_ingot-coordinator"},
                                                       .lease = "ingot-coordinator",
                                                       .pod = "ingot-coordinator-5d9c-x2"});
    tasks.emplace(runtime.executor, runtime.log).spawn("standby", lead());
    clock.advance(1s);
  }
  base::Task<void> lead() {
    try {
      co_await standby->run([this] { return work(); });
    } catch (const base::Error& error) {
      ended = error.what();
    }
  }
  base::Task<void> work() {
    works = true;
    try {
      while (true) co_await clock.sleepFor(1h);
    } catch (const base::Cancelled&) {
      works = false;
      throw;
    }
  }
  void stop() {
    if (tasks) run(tasks->close());
    standby.reset();
  }

  void deploy(const std::string& namespace_, const std::string& name, int ready) {
    const auto deployments = kube::Resource::of(Deployment::info);
    const kube::ObjectKey key{namespace_, name};
    if (!run(client->api().get(deployments, key)))
      run(client->api().create(
          deployments, namespace_,
          json::Object{{"apiVersion", "apps/v1"}, {"kind", "Deployment"}, {"metadata", json::Object{{"name", name}}}}));
    run(client->api().patch(deployments, key, kube::PatchType::merge,
                            json::Object{{"status", json::Object{{"readyReplicas", ready}}}}, "status"));
    clock.settle();
  }
  // As client-go's elector writes it, now.
  void renewAs(const std::string& holder, const std::string& namespace_ = "capm3-system") {
    auto lease = run(client->get<kube::Lease>({namespace_, provider}));
    const bool isNew = !lease;
    if (isNew) lease = kube::Lease{.metadata = {.name = provider, .namespace_ = namespace_}};
    lease->spec.holderIdentity = holder;
    lease->spec.leaseDurationSeconds = 15;
    lease->spec.renewTime = json::MicroTime{clock.wall()};
    if (isNew)
      run(client->create(*lease));
    else
      run(client->update(*lease));
  }
  std::string holder(const std::string& namespace_, const std::string& name = provider) {
    const auto lease = run(client->get<kube::Lease>({namespace_, name}));
    return lease ? lease->spec.holderIdentity.value_or("") : "none";
  }
  std::vector<std::string> told() {
    std::vector<std::string> out;
    for (const auto& event : run(client->list<kube::Event>({.namespace_ = "ingot-system"})))
      out.push_back(event.reason + ": " + event.message);
    return out;
  }

  net::Loopback network{runtime};
  Door door;
  std::unique_ptr<apiserver::EmbeddedApi> api;
  std::unique_ptr<kube::Client> client;
  std::unique_ptr<Standby> standby;
  std::optional<base::TaskGroup> tasks;
  bool works = false;
  std::string ended;
};

}  // namespace

TEST_CASE("each part is what one manager of Metal3 does", "[managers]") {
  const auto names = [](const coordinator::Parts& parts) {
    std::vector<std::string> out;
    for (const auto& manager : managersOf(parts)) out.emplace_back(manager.name);
    return out;
  };
  using Names = std::vector<std::string>;
  CHECK(names({}) == Names{});
  CHECK(names({Part::host}) == Names{"baremetal-operator"});
  CHECK(names({Part::ipam}) == Names{"ip-address-manager"});
  CHECK(names({Part::cluster, Part::machine, Part::machineTemplate, Part::labelSync, Part::remediation, Part::data}) ==
        Names{"cluster-api-provider-metal3"});
}

TEST_CASE("where there is no Metal3, work begins at once and its Leases are held", "[managers]") {
  Cluster c;
  c.start();
  CHECK(c.works);
  CHECK(c.standby->mayAct());
  CHECK(c.standby->waitsFor().empty());
  for (const char* lease : {"baremetal-operator", provider, "controller-leader-election-ipam-capm3"})
    CHECK(c.holder("ingot-system", lease) == "ingot_ingot-system_ingot-coordinator");
}

TEST_CASE("an API that has no Deployments has no managers of Metal3", "[managers]") {
  Cluster c({});
  c.start();
  CHECK(c.works);
}

TEST_CASE("a ready Deployment of Metal3 is waited for, in whatever namespace, and told of", "[managers]") {
  Cluster c;
  c.deploy("other", "capm3-controller-manager", 1);
  c.start();
  c.clock.advance(10min);
  CHECK_FALSE(c.works);
  CHECK_FALSE(c.standby->mayAct());
  CHECK(c.standby->waitsFor() == "Deployment other/capm3-controller-manager has 1 ready replica");
  CHECK(c.holder("ingot-system") == "none");  // it would keep a second replica of Metal3's from leading there
  CHECK(c.told() == std::vector<std::string>{"StandsBy: managers of Metal3 may act on the same objects: Deployment "
                                             "other/capm3-controller-manager has 1 ready replica"});
  c.deploy("other", "capm3-controller-manager", 0);
  c.clock.advance(1s);
  CHECK(c.works);
}

TEST_CASE("a Deployment of what somebody else shall do is none of our business", "[managers]") {
  Cluster c;
  c.deploy("capm3-system", "capm3-controller-manager", 1);
  c.deploy("capm3-system", "another-controller-manager", 1);
  c.start({Part::host, Part::ipam});
  CHECK(c.works);
  CHECK(c.holder("ingot-system") == "none");
}

TEST_CASE("a Deployment of Metal3 whose image is Ingot does not wait for itself", "[managers]") {
  Deployment deployment{.metadata = {.name = "capm3-controller-manager", .namespace_ = "capm3-system"},
                        .status = {.readyReplicas = 1}};
  CHECK_FALSE(objection(deployment, {"capm3-system", "capm3-controller-manager-5d9c-x2"}));
  CHECK(objection(deployment, {"other", "capm3-controller-manager-5d9c-x2"}));
  CHECK(objection(deployment, {"capm3-system", "capm3-controller-managers-5d9c-x2"}));
  CHECK(objection(deployment, {"capm3-system", ""}));
}

TEST_CASE("a Lease of Metal3 that somebody renews is waited for, and taken once it has stood still", "[managers]") {
  Cluster c;
  c.renewAs("capm3-controller-manager-1");
  c.start();
  for (int i = 0; i < 10; ++i) {
    c.clock.advance(10s);
    c.renewAs("capm3-controller-manager-1");
  }
  CHECK_FALSE(c.works);
  CHECK(c.standby->waitsFor() ==
        "Lease capm3-system/controller-leader-election-capm3 is held by "
        "capm3-controller-manager-1");
  c.clock.advance(13s);
  CHECK_FALSE(c.works);
  c.clock.advance(5s);
  CHECK(c.works);
  CHECK(c.holder("capm3-system") == "ingot_ingot-system_ingot-coordinator");
}

TEST_CASE("a Lease of Metal3 that was given up is taken at once", "[managers]") {
  Cluster c;
  c.renewAs("");
  c.start();
  CHECK(c.works);
  CHECK(c.holder("capm3-system") == "ingot_ingot-system_ingot-coordinator");
}

TEST_CASE("the Leases of Metal3 never run out while we work", "[managers]") {
  Cluster c;
  c.renewAs("");
  c.start();
  for (int i = 0; i < 60; ++i) {
    c.clock.advance(1s);
    for (const char* namespace_ : {"ingot-system", "capm3-system"}) {
      const auto lease = c.run(c.client->get<kube::Lease>({namespace_, provider})).value();
      CHECK(c.clock.wall() - lease.spec.renewTime->time < 15s);  // what older managers go by
      CHECK(lease.spec.leaseDurationSeconds == 15);
    }
  }
}

TEST_CASE("the next leader of the same installation need not wait for the Leases of Metal3", "[managers]") {
  Cluster c;
  c.renewAs("");
  c.start();
  c.stop();
  c.works = false;
  c.start();
  CHECK(c.works);
}

TEST_CASE("another installation of Ingot is no manager of Metal3", "[managers]") {
  Cluster c;
  c.renewAs("ingot_team-b_ingot-coordinator");
  c.start();
  CHECK(c.works);
  CHECK(c.holder("capm3-system") == "ingot_team-b_ingot-coordinator");
}

TEST_CASE("work ends when a Deployment of Metal3 is ready again, and nothing is sent from that moment on",
          "[managers]") {
  Cluster c;
  c.deploy("capm3-system", "capm3-controller-manager", 0);
  c.start();
  REQUIRE(c.works);
  c.deploy("capm3-system", "capm3-controller-manager", 2);
  CHECK_FALSE(c.standby->mayAct());
  c.deploy("capm3-system", "capm3-controller-manager", 0);  // too late: work ends
  c.clock.advance(2s);
  CHECK_FALSE(c.works);
  CHECK(c.ended == "stops acting: Deployment capm3-system/capm3-controller-manager has 2 ready replicas");
  CHECK(c.told().size() == 1);
}

TEST_CASE("where it cannot be told whether Metal3's managers act nothing is done, and that is told", "[managers]") {
  Cluster c;
  c.door.isShut = true;
  c.start();
  c.clock.advance(5min);
  CHECK_FALSE(c.works);
  CHECK_THAT(c.standby->waitsFor(), Contains("Deployments cannot be listed"));
  CHECK(c.told().size() == 1);
  c.door.isShut = false;
  c.clock.advance(1min);
  CHECK(c.works);
}

TEST_CASE("work ends when a manager of Metal3 has taken its Lease", "[managers]") {
  Cluster c;
  c.renewAs("");
  c.start();
  REQUIRE(c.works);
  c.renewAs("capm3-controller-manager-1");
  c.clock.advance(11s);
  CHECK_FALSE(c.works);
  CHECK_THAT(c.ended, Contains("is held by capm3-controller-manager-1"));
}

TEST_CASE("a manager of Metal3 in a namespace that it never was in is noticed by its Lease", "[managers]") {
  Cluster c;
  c.start();
  REQUIRE(c.works);
  c.renewAs("capm3-controller-manager-1", "other");
  c.clock.advance(11s);
  CHECK_FALSE(c.works);
}

}  // namespace ingot::tests
