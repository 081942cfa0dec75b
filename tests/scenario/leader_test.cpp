// A coordinator in somebody else's cluster, where it leads by a Lease.
#include "api/bmh/baremetalhost.hpp"
#include "api/kinds/kinds.hpp"
#include "base/file.hpp"
#include "coordinator/admission.hpp"
#include "coordinator/coordinator.hpp"
#include "coordinator/managers/deployments.hpp"
#include "kube/core/lease.hpp"
#include "kube/core/namespace.hpp"
#include "kube/core/secret.hpp"
#include "tests/support/exposition.hpp"
#include "tests/support/fake_ironic.hpp"
#include "tests/support/kubernetes_kind.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using coordinator::managers::Deployment;

constexpr auto clusterOrigin = "https://cluster.test";
constexpr auto ironicOrigin = "http://ironic:6385";
constexpr auto kubeconfig = R"(apiVersion: v1
kind: Config
current-context: here
contexts: [{name: here, context: {cluster: here, user: here}}]
clusters: [{name: here, cluster: {server: "https://cluster.test"}}]
users: [{name: here, user: {token: secret}}]
)";

std::optional<std::string> environment(std::string_view name) {
  if (name == "POD_NAME") return "baremetal-operator-controller-manager-5d9c-x2";
  if (name == "IRONIC_ENDPOINT") return std::string(ironicOrigin) + "/v1";
  if (name == "DEPLOY_KERNEL_URL") return "http://images/kernel";
  if (name == "DEPLOY_RAMDISK_URL") return "http://images/ramdisk";
  return std::nullopt;
}

// Of a process that may stand still: that time has passed, and no timer has told of it.
class StoppableClock final : public base::Clock {
 public:
  explicit StoppableClock(base::Clock& real) : real_(real) {}
  [[nodiscard]] base::MonoTime now() const override { return real_.now() + stoodStill; }
  [[nodiscard]] base::WallTime wall() const override {
    return real_.wall() + std::chrono::duration_cast<base::WallTime::duration>(stoodStill);
  }
  [[nodiscard]] base::Task<void> sleepUntil(base::MonoTime when) override {
    return real_.sleepUntil(when - stoodStill);
  }
  std::unique_ptr<base::Alarm> alarm(const base::Executor& executor, base::MonoTime when,
                                     std::function<void()> ring) override {
    return real_.alarm(executor, when - stoodStill, std::move(ring));
  }

  base::Duration stoodStill{};

 private:
  base::Clock& real_;
};

// The API, which knows of every ServiceAccount that it may do all.
class Door final : public net::HttpHandler {
 public:
  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    if (request.path().ends_with("/subjectaccessreviews"))
      co_return co_await out.send({.status = 201, .body = R"({"status":{"allowed":true}})"});
    co_await inside->handle(std::move(request), out);
  }
  net::HttpHandler* inside = nullptr;
};

// A cluster's API, Ironic, and one coordinator between them. `metal3`: Deployments of its managers that are ready.
struct ClusterSite : Loop {
  explicit ClusterSite(const std::function<void(coordinator::Options&)>& change = {},
                       const std::vector<kube::ObjectKey>& metal3 = {}) {
    apiserver::EmbeddedOptions served{.definitions = api::crdsOf(api::KindSet::hosts),
                                      .admission = coordinator::admissionRules};
    for (auto& definition : api::crdsOf(api::KindSet::ipam)) served.definitions.push_back(std::move(definition));
    served.definitions.push_back(kubernetesKind(Deployment::info));
    served.store.commit = apiserver::StoreOptions::Commit::inLine;
    cluster = run(apiserver::EmbeddedApi::start(runtime, std::move(served)));
    door.inside = &cluster->handler();
    network.serve(clusterOrigin, door, apiserver::EmbeddedApi::localAdmin());
    network.serve(ironicOrigin, ironic);
    user = kube::connect(runtime, network, {.server = clusterOrigin});
    for (const auto& key : metal3) deploy(key);
    base::writeFileAtomically(folder.path("kubeconfig"), kubeconfig);
    coordinator::Options options{.kubeconfig = folder.path("kubeconfig"),
                                 .agentsEndpoint = "",
                                 .webhookPort = 0,
                                 .metricsAddress = "0",
                                 .healthAddress = "0"};
    if (change) change(options);
    program = std::make_unique<coordinator::Coordinator>(
        base::Runtime{runtime.executor, processClock, *random, runtime.log}, std::move(options),
        coordinator::Surroundings{.transport = network, .environment = environment});
    tasks.spawn("coordinator", work());
  }
  base::Task<void> work() {
    try {
      co_await program->run();
    } catch (const base::Error& error) {
      ended = error.what();
    }
  }
  ~ClusterSite() {
    network.beforeRequest = {};
    run(tasks.close());
    program.reset();
    user.reset();
    run(network.close());
    run(cluster->stop(1s));
  }

  void deploy(const kube::ObjectKey& key) {
    if (!run(user->get<kube::Namespace>({"", key.namespace_}))) {
      kube::Namespace space;
      space.metadata.name = key.namespace_;
      run(user->create(std::move(space)));
    }
    run(user->create(
        Deployment{.metadata = {.name = key.name, .namespace_ = key.namespace_}, .spec = {.replicas = 1}}));
    clock.settle();
  }
  void createHost() {
    kube::Secret secret;
    secret.metadata.name = "a-bmc";
    secret.metadata.namespace_ = "default";
    secret.data = {{"username", kube::SecretBytes("admin")}, {"password", kube::SecretBytes("secret")}};
    run(user->create(std::move(secret)));
    api::BareMetalHost host;
    host.metadata.name = "a";
    host.metadata.namespace_ = "default";
    host.spec.bmc = {.address = "redfish://10.0.0.1/redfish/v1/Systems/1", .credentialsName = "a-bmc"};
    host.spec.bootMACAddress = "52:54:00:00:00:01";
    run(user->create(std::move(host)));
  }

  TemporaryFolder folder;
  StoppableClock processClock{clock};
  net::Loopback network{runtime};
  FakeIronic ironic{runtime};
  Door door;
  std::unique_ptr<apiserver::EmbeddedApi> cluster;
  std::unique_ptr<kube::Client> user;
  std::unique_ptr<coordinator::Coordinator> program;
  std::string ended;
  base::TaskGroup tasks{runtime.executor, runtime.log};
};

}  // namespace

TEST_CASE("a coordinator that stood still at a change to Ironic asks whether it still leads, and does not send it",
          "[scenario][election]") {
  const base::Duration stands = GENERATE(0s, 11s);  // leading ends ten seconds after the last renewal
  ClusterSite site;
  int tried = 0;
  site.network.beforeRequest = [&](const net::ClientOptions& to, const net::HttpRequest& request) {
    if (!to.baseUrl.starts_with(ironicOrigin) || request.method == "GET") return;
    if (++tried == 1) site.processClock.stoodStill = stands;
  };
  site.createHost();
  REQUIRE(site.clock.advanceUntil([&] { return tried > 0; }, 10min));
  site.clock.advance(10s);
  CHECK(site.ironic.journal().empty() == (stands > 0s));
}

TEST_CASE("the controllers ask a cluster no faster than they were told, and the Lease is renewed all the same",
          "[scenario][election][flags]") {
  const bool isLimited = GENERATE(false, true);
  ClusterSite site([&](coordinator::Options& options) {
    if (isLimited) options.kubeApi = {.perSecond = 1, .burst = 1};
  });
  int leases = 0, others = 0;
  site.network.beforeRequest = [&](const net::ClientOptions& to, const net::HttpRequest& request) {
    if (!to.baseUrl.starts_with(clusterOrigin)) return;
    const auto names = [&](std::string_view what) { return request.target.find(what) != std::string::npos; };
    if (names("/leases/ingot-coordinator")) ++leases;
    if (!names("/leases") && !names("/deployments")) ++others;  // these are asked for before the controllers run
  };
  site.clock.advance(20s);
  CHECK(leases >= 8);
  CHECK((others <= 22) == isLimited);
}

TEST_CASE("a coordinator does nothing to hosts beside Metal3's manager of hosts, and says so", "[scenario][election]") {
  ClusterSite site({}, {{"metal3", "baremetal-operator-controller-manager"}});
  site.createHost();
  site.clock.advance(10min);
  CHECK(site.ironic.journal().empty());
  CHECK_THAT(site.program->readiness().remark,
             Catch::Contains("stands by") && Catch::Contains("metal3/baremetal-operator-controller-manager"));
  CHECK(site.program->readiness().obstacle.empty());
  CHECK(Exposition(site.program->metrics().expose()).value("ingot_standing_by", "") == 1);
  CHECK(Exposition(site.program->metrics().expose()).value("ingot_leading", "") == 1);
}

TEST_CASE("a coordinator beside managers that look elsewhere works when it is told so", "[scenario][election][flags]") {
  ClusterSite site(
      [](coordinator::Options& options) {
        options.besideMetal3 = true;
        options.namespace_ = "default";
      },
      {{"metal3", "baremetal-operator-controller-manager"}});
  site.createHost();
  CHECK(site.clock.advanceUntil([&] { return !site.ironic.journal().empty(); }, 1min));
}

TEST_CASE("a coordinator does not wait for a manager whose work is somebody else's", "[scenario][election][flags]") {
  ClusterSite site([](coordinator::Options& options) { options.controllers = "*,-ipam"; },
                   {{"capm3-system", "ipam-controller-manager"}});
  site.createHost();
  CHECK(site.clock.advanceUntil([&] { return !site.ironic.journal().empty(); }, 1min));
}

TEST_CASE("a coordinator in a Deployment of Metal3 does not wait for itself", "[scenario][election]") {
  ClusterSite site({}, {{"default", "baremetal-operator-controller-manager"}});
  site.createHost();
  CHECK(site.clock.advanceUntil([&] { return !site.ironic.journal().empty(); }, 1min));
}

TEST_CASE("a coordinator changes nothing any more once Metal3's manager of hosts is back", "[scenario][election]") {
  ClusterSite site;
  site.clock.advance(30s);
  int changes = 0;
  site.deploy({"metal3", "baremetal-operator-controller-manager"});
  site.network.beforeRequest = [&](const net::ClientOptions& to, const net::HttpRequest& request) {
    const bool isOfHosts = request.target.find("/baremetalhosts") != std::string::npos;
    if (to.baseUrl.starts_with(ironicOrigin) || (isOfHosts && request.method != "GET" && request.method != "POST"))
      ++changes;
  };
  site.createHost();
  site.clock.advance(1min);
  CHECK(changes == 0);
  CHECK(site.ended == "stops acting: Deployment metal3/baremetal-operator-controller-manager wants 1 replica");
}

TEST_CASE("a coordinator tells a Lease that is another one's from one that it could not renew",
          "[scenario][election]") {
  ClusterSite site;
  site.clock.advance(30s);
  site.network.beforeRequest = [](const net::ClientOptions&, const net::HttpRequest& request) {
    if (request.method == "PUT" && request.target.find("/leases/") != std::string::npos)
      throw net::HttpError(net::HttpError::Code::unreachable, "cut off");
  };
  site.clock.advance(30s);
  CHECK(site.ended == "leadership was lost: the Lease was not renewed in time");
}

TEST_CASE("a coordinator that leads no longer is not ready, and ends once nobody asks its webhooks any more",
          "[scenario][election]") {
  ClusterSite site([](coordinator::Options& options) { options.shutdownDelay = 10s; });
  site.clock.advance(30s);
  REQUIRE(site.program->readiness().obstacle.empty());
  const auto leads = [&] { return Exposition(site.program->metrics().expose()).value("ingot_leading", ""); };
  CHECK(leads() == 1);
  auto lease = site.run(site.user->get<kube::Lease>({"default", "ingot-coordinator"})).value();
  lease.spec.holderIdentity = "another";
  site.run(site.user->update(std::move(lease)));
  site.clock.advance(5s);
  CHECK_FALSE(site.program->readiness().obstacle.empty());
  CHECK(site.ended.empty());
  CHECK(leads() == 0);
  site.clock.advance(10s);
  CHECK(site.ended == "leadership was lost to another coordinator");
}

TEST_CASE("the Lease says what the election was told", "[scenario][election][flags]") {
  ClusterSite site([](coordinator::Options& options) {
    options.election = {.lease = 60s, .retryPeriod = 10s, .renewDeadlineSeconds = 40s};
  });
  site.clock.advance(1min);
  const auto renewals = [&] {
    int count = 0;
    site.network.beforeRequest = [&](const net::ClientOptions&, const net::HttpRequest& request) {
      if (request.method == "PUT" && request.target.find("/leases/ingot-coordinator") != std::string::npos) ++count;
    };
    site.clock.advance(1min);
    site.network.beforeRequest = {};
    return count;
  };
  CHECK(renewals() == 6);
  const auto lease = site.run(site.user->get<kube::Lease>({"default", "ingot-coordinator"}));
  CHECK(lease.value().spec.leaseDurationSeconds == 60);
}

}  // namespace ingot::tests
