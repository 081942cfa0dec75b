// Beside an installation of Metal3, whose Deployments and Leases are in the API.
#include "coordinator/managers/standby.hpp"

#include "kube/core/error.hpp"
#include "tests/support/api_site.hpp"
#include "tests/support/kubernetes_kind.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <optional>
#include <set>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using namespace coordinator::managers;
using Catch::Matchers::Contains;
using coordinator::Part;

constexpr auto provider = "controller-leader-election-capm3";

// The API, whose Deployments may be for others only, and whose Leases may be out of order.
class Door final : public net::HttpHandler {
 public:
  explicit Door(base::Clock& clock) : clock_(clock) {}
  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    if (isShut && request.path().starts_with("/apis/apps/")) co_return co_await out.send({.status = 403});
    if (request.path().ends_with("/subjectaccessreviews")) co_return co_await answerReview(request, out);
    const bool isOfLeases = request.target.find("/leases") != std::string::npos;
    if (!leases.empty() && isOfLeases && request.method == "GET")
      co_return co_await out.send({.status = 200, .body = leases});
    if (isOfLeases && leasesFail) co_return co_await out.send({.status = 500});
    if (isOfLeases) co_await clock_.sleepFor(leasesTake);
    if (isOfLeases && request.method != "GET" && beforeWrite) co_await std::exchange(beforeWrite, {})();
    const bool isList = isOfLeases && request.method == "GET";
    co_await inside->handle(std::move(request), out);
    if (isList && afterList) std::exchange(afterList, {})();
  }
  net::HttpHandler* inside = nullptr;
  bool isShut = false, leasesFail = false;
  std::string leases;  // what lists of them answer in the API's place; "": nothing else
  base::Duration leasesTake{};
  std::function<base::Task<void>()> beforeWrite;  // once
  std::function<void()> afterList;                // of Leases, once
  std::set<std::string> managers = {"manager"};   // ServiceAccounts that may do what Metal3's managers may
  std::vector<std::string> reviews;

 private:
  base::Task<void> answerReview(const net::ServerRequest& request, net::Responder& out) {
    reviews.push_back(request.body);
    const std::string user = json::textAt(json::parse(request.body), {"spec", "user"});
    const bool may = managers.contains(user.substr(user.rfind(':') + 1));
    co_await out.send({.status = 201, .body = fmt::format(R"({{"status":{{"allowed":{}}}}})", may)});
  }

  base::Clock& clock_;
};

struct Cluster : Loop {
  explicit Cluster(std::vector<json::Object> definitions = {kubernetesKind(Deployment::info)}) {
    apiserver::EmbeddedOptions options{.definitions = std::move(definitions)};
    options.store.commit = apiserver::StoreOptions::Commit::inLine;
    api = run(apiserver::EmbeddedApi::start(runtime, std::move(options)));
    door.inside = &api->handler();
    network.serve("https://api.test", door, apiserver::EmbeddedApi::localAdmin());
    network.serve("https://others.test", api->handler(), apiserver::EmbeddedApi::localAdmin());
    client = kube::connect(runtime, network, {.server = "https://api.test"});
    others = kube::connect(runtime, network, {.server = "https://others.test"});
    for (const char* name : {"ingot-system", "capm3-system", "other"}) {
      kube::Namespace space;
      space.metadata.name = name;
      run(others->create(std::move(space)));
    }
  }
  ~Cluster() {
    stop();
    client.reset();
    others.reset();
    run(network.close());
    run(api->stop(1s));
  }

  void start(coordinator::Parts parts = {Part::host, Part::machine, Part::ipam}) {
    standby = std::make_unique<Standby>(runtime, *client,
                                        StandbyOptions{.leases = {.managers = managersOf(parts),
                                                                  .namespace_ = "ingot-system",
                                                                  .ownLease = ownLease,
                                                                  .installation = "ingot-system_ingot-coordinator"},
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
    if (workFails) throw base::Error("the work failed");
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

  void deploy(const std::string& namespace_, const std::string& name, int ready,
              const std::string& account = "manager") {
    deployed(namespace_, name, ready, account, ready);
  }
  void deployed(const std::string& namespace_, const std::string& name, int wanted, const std::string& account,
                int ready) {
    const auto deployments = kube::Resource::of(Deployment::info);
    const kube::ObjectKey key{namespace_, name};
    if (!run(others->api().get(deployments, key)))
      run(others->api().create(
          deployments, namespace_,
          json::Object{{"apiVersion", "apps/v1"}, {"kind", "Deployment"}, {"metadata", json::Object{{"name", name}}}}));
    json::Object pod{{"spec", json::Object{{"serviceAccountName", account}}}};
    run(others->api().patch(deployments, key, kube::PatchType::merge,
                            json::Object{{"spec", json::Object{{"replicas", wanted}, {"template", std::move(pod)}}}}));
    run(others->api().patch(deployments, key, kube::PatchType::merge,
                            json::Object{{"status", json::Object{{"readyReplicas", ready}}}}, "status"));
    clock.settle();
  }
  // As client-go's elector writes it, now.
  void renewAs(const std::string& holder, const std::string& namespace_ = "capm3-system") {
    auto lease = run(others->get<kube::Lease>({namespace_, provider}));
    const bool isNew = !lease;
    if (isNew) lease = kube::Lease{.metadata = {.name = provider, .namespace_ = namespace_}};
    lease->spec.holderIdentity = holder;
    lease->spec.leaseDurationSeconds = 15;
    lease->spec.renewTime = json::MicroTime{clock.wall()};
    if (isNew)
      run(others->create(*lease));
    else
      run(others->update(*lease));
  }
  std::string holder(const std::string& namespace_, const std::string& name = provider) {
    const auto lease = run(others->get<kube::Lease>({namespace_, name}));
    return lease ? lease->spec.holderIdentity.value_or("") : "none";
  }
  std::vector<std::string> told() {
    std::vector<std::string> out;
    for (const auto& event : run(others->list<kube::Event>({.namespace_ = "ingot-system"})))
      out.push_back(event.reason + " at " + event.involvedObject.kind + " " + event.involvedObject.name + ": " +
                    event.message);
    return out;
  }

  net::Loopback network{runtime};
  Door door{clock};
  std::unique_ptr<apiserver::EmbeddedApi> api;
  std::unique_ptr<kube::Client> client, others;  // that of the process, and one past the door
  std::unique_ptr<Standby> standby;
  std::optional<base::TaskGroup> tasks;
  std::string ownLease = "ingot-coordinator";
  bool works = false, workFails = false;
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
    CHECK(c.holder("ingot-system", lease) == "ingot.dev/ingot-system_ingot-coordinator");
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
  CHECK(c.told() ==
        std::vector<std::string>{
            "StandsBy at Lease ingot-coordinator: managers of Metal3 may act on the same objects: Deployment "
            "other/capm3-controller-manager has 1 ready replica"});
  c.deploy("other", "capm3-controller-manager", 0);
  c.clock.advance(14s);  // its pods may still be ending
  CHECK_FALSE(c.works);
  c.clock.advance(4s);
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
                        .spec = {.replicas = 1},
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
  CHECK(c.holder("capm3-system") == "ingot.dev/ingot-system_ingot-coordinator");
}

TEST_CASE("a Lease of Metal3 that was given up is taken at once", "[managers]") {
  Cluster c;
  c.renewAs("");
  c.start();
  CHECK(c.works);
  CHECK(c.holder("capm3-system") == "ingot.dev/ingot-system_ingot-coordinator");
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

TEST_CASE("another installation of Ingot is no manager of Metal3, and leaves its Leases when it is gone",
          "[managers]") {
  Cluster c;
  c.renewAs("ingot.dev/team-b_ingot-coordinator");
  c.start();
  CHECK(c.works);
  CHECK(c.holder("capm3-system") == "ingot.dev/team-b_ingot-coordinator");
  c.clock.advance(40s);
  CHECK(c.works);
  CHECK(c.holder("capm3-system") == "ingot.dev/ingot-system_ingot-coordinator");
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
  CHECK(c.ended == "stops acting: Deployment capm3-system/capm3-controller-manager wants 2 replicas");
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

TEST_CASE("a Deployment that is ready while a Lease is renewed is noticed at once", "[managers]") {
  Cluster c;
  c.start();
  REQUIRE(c.works);
  c.door.leasesTake = 30s;
  c.clock.advance(11s);  // a renewal is under way
  c.deploy("capm3-system", "capm3-controller-manager", 1);
  CHECK_FALSE(c.standby->mayAct());
  c.clock.advance(2min);
  CHECK_FALSE(c.works);
}

TEST_CASE("Leases of Metal3 that cannot be renewed for a while are watched all the same", "[managers]") {
  Cluster c;
  c.renewAs("");
  c.start();
  c.door.leasesFail = true;
  c.clock.advance(30s);
  CHECK(c.works);
  c.door.leasesFail = false;
  c.renewAs("capm3-controller-manager-1");
  c.clock.advance(11s);
  CHECK_FALSE(c.works);
}

TEST_CASE("nothing is done before the Leases of Metal3 can be taken", "[managers]") {
  Cluster c;
  c.door.leasesFail = true;
  c.start();
  c.clock.advance(5min);
  CHECK_FALSE(c.works);
  CHECK_THAT(c.standby->waitsFor(), Catch::StartsWith("unknown, "));
  c.door.leasesFail = false;
  c.clock.advance(1min);
  CHECK(c.works);
}

TEST_CASE("who was quicker to take a Lease of Metal3 is waited for", "[managers]") {
  Cluster c;
  const bool isThere = GENERATE(true, false);
  const std::string where = isThere ? "capm3-system" : "ingot-system";
  if (isThere) c.renewAs("");
  c.door.beforeWrite = [&]() -> base::Task<void> {
    kube::Lease lease{.metadata = {.name = provider, .namespace_ = where}};
    if (isThere) lease = (co_await c.others->get<kube::Lease>({where, provider})).value();
    lease.spec.holderIdentity = "capm3-controller-manager-1";
    lease.spec.leaseDurationSeconds = 15;
    static_cast<void>(isThere ? co_await c.others->update(lease) : co_await c.others->create(lease));
  };
  c.start({Part::machine});
  CHECK_FALSE(c.works);
  c.clock.advance(3s);
  CHECK_FALSE(c.works);
  CHECK(c.holder(where) == "capm3-controller-manager-1");
}

TEST_CASE("the Lease by which we elect our leader is ours, whatever its name", "[managers]") {
  Cluster c;
  c.ownLease = provider;
  c.renewAs("ingot-coordinator-5d9c-x2_uuid", "ingot-system");
  c.start({Part::machine});
  CHECK(c.works);
  CHECK(c.holder("ingot-system") == "ingot-coordinator-5d9c-x2_uuid");
}

TEST_CASE("what fails of the work goes through", "[managers]") {
  Cluster c;
  c.workFails = true;
  c.start();
  CHECK(c.ended == "the work failed");
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

TEST_CASE("a Lease in a namespace that has nothing to do with Metal3 says nothing", "[managers]") {
  Cluster c;
  c.renewAs("capm3-controller-manager-1", "other");
  c.start();
  CHECK(c.works);
  c.renewAs("capm3-controller-manager-1", "other");
  c.clock.advance(11s);
  CHECK(c.works);
  CHECK(c.holder("other") == "capm3-controller-manager-1");
}

TEST_CASE("a Lease counts wherever a manager of Metal3 is known to be", "[managers]") {
  Cluster c;
  c.deploy("other", "capm3-controller-manager", 1);
  c.renewAs("capm3-controller-manager-1", "other");
  c.start();
  c.deploy("other", "capm3-controller-manager", 0);
  for (int i = 0; i < 20; ++i) {
    c.clock.advance(2s);
    c.renewAs("capm3-controller-manager-1", "other");
  }
  CHECK_FALSE(c.works);
  CHECK_THAT(c.standby->waitsFor(), Contains("is held by capm3-controller-manager-1"));
  c.clock.advance(18s);
  CHECK(c.works);
}

TEST_CASE("a Deployment counts when its ServiceAccount may do what a manager does", "[managers]") {
  Cluster c;
  c.deploy("other", "capm3-controller-manager", 3, "stranger");
  c.start();
  CHECK(c.works);
  c.clock.advance(1h);
  CHECK(c.works);
  CHECK(c.door.reviews.size() <= 65);  // one a minute
  REQUIRE_FALSE(c.door.reviews.empty());
  CHECK_THAT(c.door.reviews[0], Contains("system:serviceaccount:other:stranger") && Contains("metal3machines"));
  c.deploy("other", "capm3-controller-manager", 3, "manager");
  c.clock.advance(11s);
  CHECK_FALSE(c.works);
}

TEST_CASE("a Deployment that wants replicas counts before one of them is ready", "[managers]") {
  Cluster c;
  c.deployed("capm3-system", "capm3-controller-manager", 1, "manager", 0);
  c.start();
  CHECK_FALSE(c.works);
  CHECK(c.standby->waitsFor() == "Deployment capm3-system/capm3-controller-manager wants 1 replica");
}

TEST_CASE("a Lease of Metal3 with values that no elector writes stops nobody, and is stopped by nobody", "[managers]") {
  Cluster c;
  const std::string spec = GENERATE(R"({"holderIdentity":"","leaseTransitions":2147483647})",
                                    R"({"holderIdentity":"x","leaseDurationSeconds":2147483647})");
  c.run(c.others->api().create(kube::Resource::of(kube::Lease::info), "capm3-system",
                               json::Object{{"apiVersion", "coordination.k8s.io/v1"},
                                            {"kind", "Lease"},
                                            {"metadata", json::Object{{"name", provider}}},
                                            {"spec", json::parse(spec)}}));
  c.start();
  c.clock.advance(65s);
  CHECK(c.works);
  c.deploy("capm3-system", "capm3-controller-manager", 1);
  c.clock.advance(11s);
  CHECK_FALSE(c.works);
  CHECK_THAT(c.ended, Contains("Deployment"));
}

TEST_CASE("a Lease of Metal3 that cannot be read says nothing", "[managers]") {
  Cluster c;
  c.door.leases = R"({"metadata":{},"items":[{"metadata":{"name":"controller-leader-election-capm3",
    "namespace":"capm3-system"},"spec":{"holderIdentity":"x","renewTime":"9999-01-01T00:00:00.000000Z"}}]})";
  c.start();
  c.door.leases.clear();
  c.clock.advance(5s);
  CHECK(c.works);
  c.door.leases = R"({"metadata":{},"items":[{"spec":{"renewTime":"9999-01-01T00:00:00.000000Z"}}]})";
  c.clock.advance(1min);
  CHECK(c.works);
  c.deploy("capm3-system", "capm3-controller-manager", 1);
  c.clock.advance(11s);
  CHECK_FALSE(c.works);
}

TEST_CASE("no Lease of Metal3 is taken while another of them has a holder", "[managers]") {
  Cluster c;
  c.renewAs("capm3-controller-manager-1");
  c.start();
  CHECK_FALSE(c.works);
  CHECK(c.holder("ingot-system", "baremetal-operator") == "none");
}

TEST_CASE("a Deployment that comes up while the last look is under way is noticed at once", "[managers]") {
  Cluster c;
  bool isUp = false;
  c.door.beforeWrite = [&]() -> base::Task<void> {
    isUp = true;
    static_cast<void>(co_await c.others->api().create(
        kube::Resource::of(Deployment::info), "capm3-system",
        json::parse(R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"capm3-controller-manager"},
                        "spec":{"template":{"spec":{"serviceAccountName":"manager"}}}})")));
  };
  c.start();
  REQUIRE(isUp);
  CHECK_FALSE(c.works);
}

TEST_CASE("who cannot tell for a minute whether Metal3's managers are back ends its work", "[managers]") {
  Cluster c;
  c.start();
  c.door.leasesFail = true;
  c.clock.advance(50s);
  CHECK(c.works);
  c.clock.advance(40s);
  CHECK_FALSE(c.works);
  CHECK_THAT(c.ended, Contains("unknown"));
}

TEST_CASE("a Lease of Metal3 that is deleted or written at the same moment ends no work", "[managers]") {
  Cluster c;
  c.renewAs("");
  c.start();
  REQUIRE(c.works);
  const bool isDeleted = GENERATE(true, false);
  c.door.beforeWrite = [&]() -> base::Task<void> {
    const kube::ObjectKey key{"capm3-system", provider};
    const auto leases = kube::Resource::of(kube::Lease::info);
    if (isDeleted)
      static_cast<void>(co_await c.others->api().remove(leases, key));
    else
      static_cast<void>(co_await c.others->api().patch(leases, key, kube::PatchType::merge,
                                                       json::parse(R"({"metadata":{"annotations":{"a":"b"}}})")));
  };
  c.clock.advance(30s);
  CHECK(c.works);
}

}  // namespace ingot::tests
