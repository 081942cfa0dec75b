// An API beside an installation of Metal3, whose Deployments and Leases are in it, and a process that stands by.
#pragma once

#include "coordinator/managers/standby.hpp"
#include "tests/support/api_site.hpp"
#include "tests/support/kubernetes_kind.hpp"

#include <functional>
#include <optional>
#include <set>

namespace ingot::tests {

using namespace std::chrono_literals;
using namespace coordinator::managers;

inline constexpr auto provider = "controller-leader-election-capm3";

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
  std::set<std::string> only;                     // the namespaces where they may; empty: everywhere
  std::vector<std::string> reviews;

 private:
  base::Task<void> answerReview(const net::ServerRequest& request, net::Responder& out) {
    reviews.push_back(request.body);
    const json::Value review = json::parse(request.body);
    const std::string user = json::textAt(review, {"spec", "user"});
    const std::string where = json::textAt(review, {"spec", "resourceAttributes", "namespace"});
    const bool may = managers.contains(user.substr(user.rfind(':') + 1)) && (only.empty() || only.contains(where));
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

  void start(coordinator::Parts parts = {coordinator::Part::host, coordinator::Part::machine,
                                         coordinator::Part::ipam}) {
    standby = std::make_unique<Standby>(runtime, *client,
                                        StandbyOptions{.leases = {.managers = managersOf(parts),
                                                                  .namespace_ = "ingot-system",
                                                                  .ownLease = ownLease,
                                                                  .installation = "ingot-system_ingot-coordinator"},
                                                       .pod = "ingot-coordinator-5d9c-x2",
                                                       .namespaces = namespaces});
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
  std::vector<std::string> namespaces;  // that the process looks at; empty: all
  bool works = false, workFails = false;
  std::string ended;
};

}  // namespace ingot::tests
