// A hundred workload clusters that cannot be reached, each in its way, and one that can: by the whole coordinator.
#include "api/capm3/names.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "kube/core/node.hpp"
#include "kube/core/object_reference.hpp"
#include "kube/core/secret.hpp"
#include "kube/runtime/conditions.hpp"
#include "tests/coordinator/cluster/builders.hpp"
#include "tests/scenario/site.hpp"
#include "tests/support/workload_cluster.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using ReadyMachine = api::capm3::v1beta2::Metal3Machine;

enum class Absence { neverAnswers, refuses, breaksOff, hangsAtNodes };

// What is left of a workload cluster's API server, and how many requests it holds.
class DeadServer final : public net::HttpHandler {
 public:
  DeadServer(Loop& loop, Absence absence) : absence_(absence), never_(loop.runtime.executor) {}

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    ++requests;
    const Held held(*this);
    if (absence_ == Absence::breaksOff) co_return out.abort();
    if (absence_ == Absence::hangsAtNodes && request.path() == "/version")
      co_return co_await out.send({.status = 200,
                                   .headers = {{"Content-Type", "application/json"}},
                                   .body = R"({"major":"1","minor":"34","gitVersion":"v1.34.0"})"});
    while (true) co_await never_.wait();
  }

  std::size_t requests = 0, open = 0, mostOpen = 0;

 private:
  struct Held {
    explicit Held(DeadServer& s) : server(s) { server.mostOpen = std::max(server.mostOpen, ++server.open); }
    ~Held() { --server.open; }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    DeadServer& server;
  };

  Absence absence_;
  base::Notifier never_;
};

struct CrowdedSite {
  CrowdedSite() : site({"--provisioner", "fixture"}) {}
  ~CrowdedSite() {
    site.stop();
    site.run(site.outside.close());
  }
  CrowdedSite(const CrowdedSite&) = delete;
  CrowdedSite& operator=(const CrowdedSite&) = delete;

  template <class T>
  T put(T object) {
    object.metadata.namespace_ = "default";
    object.metadata.uid.clear();
    return site.run(site.client().create(std::move(object)));
  }

  void addCluster(const std::string& name, kube::Secret kubeconfig) {
    const Cluster cluster = put(clusterNamed(name));
    Metal3Cluster metal = metalCluster(cluster.metadata.uid);
    metal.metadata.name = name;
    metal.metadata.labels[std::string(api::capm3::label::clusterName)] = name;
    metal.metadata.ownerReferences.front().name = name;
    put(metal);
    kubeconfig.metadata.labels[std::string(api::capm3::label::clusterName)] = name;
    put(std::move(kubeconfig));
    static_cast<void>(site.run(site.client().patchStatus<Cluster>(
        {"default", name}, json::parse(R"({"status":{"initialization":{"infrastructureProvisioned":true}}})"))));
  }

  // With a host for it.
  void addMachine(const std::string& cluster, const std::string& name) {
    site.createHost(name + "-host",
                    fmt::format("redfish://10.0.{}.{}/redfish/v1/Systems/1", machines / 200, machines % 200));
    ++machines;
    Machine machine = machineOf(cluster, name);
    machine.metadata.labels[std::string(api::capm3::label::clusterName)] = cluster;
    machine.spec.bootstrap.configRef = {
        .apiGroup = "bootstrap.cluster.x-k8s.io", .kind = "KubeadmConfig", .name = name};
    machine.spec.bootstrap.dataSecretName = name + "-boot";
    const Machine owner = put(machine);
    static_cast<void>(site.run(site.client().patchStatus<Machine>(
        {"default", name}, json::parse(R"({"status":{"initialization":{"bootstrapDataSecretCreated":true}}})"))));
    kube::Secret data;
    data.metadata.name = name + "-boot";
    data.data["value"] = kube::SecretBytes("#cloud-config");
    put(data);
    ReadyMachine metal;
    metal.metadata.name = name;
    metal.metadata.labels[std::string(api::capm3::label::clusterName)] = cluster;
    metal.metadata.ownerReferences = {kube::ownerReferenceTo(owner, true)};
    metal.spec.image = {
        .url = "http://images/os.raw", .checksum = "abcd", .checksumType = "sha256", .diskFormat = "raw"};
    put(metal);
  }

  void addDead(int number) {
    const auto absence = static_cast<Absence>(number % 4);
    const std::string name = fmt::format("dead{}", number), origin = fmt::format("https://{}.test:6443", name);
    auto& server = dead.emplace_back(std::make_unique<DeadServer>(site.loop, absence));
    if (absence != Absence::refuses) site.outside.serve(origin, *server);
    kube::Secret kubeconfig = WorkloadCluster::kubeconfig(name);
    const std::string text = kubeconfig.data["value"].reveal();
    const auto at = text.find("https://c1.test:6443");
    REQUIRE(at != std::string::npos);
    kubeconfig.data["value"] = kube::SecretBytes(std::string(text).replace(at, 20, origin));
    addCluster(name, std::move(kubeconfig));
    addMachine(name, name + "-m");
  }

  [[nodiscard]] ReadyMachine machine(const std::string& name) {
    return site.run(site.client().get<ReadyMachine>({"default", name})).value();
  }

  // Virtual time in steps of a tenth of a second.
  base::Duration until(const std::function<bool()>& done, base::Duration limit) {
    const auto begun = site.loop.clock.now();
    while (!done() && site.loop.clock.now() - begun < limit) site.loop.clock.advance(100ms);
    CHECK(done());
    return site.loop.clock.now() - begun;
  }

  Site site;
  int machines = 0;
  std::vector<std::unique_ptr<DeadServer>> dead;
};

struct Course {
  base::Duration toProvisioned, toNode;
  std::vector<std::string> writes;  // to the workload cluster
};

// How a machine of a cluster that answers comes into service beside so many that do not.
Course healthyBeside(int deadClusters) {
  CrowdedSite crowd;
  Site& site = crowd.site;
  for (int i = 0; i < deadClusters; ++i) crowd.addDead(i);
  site.loop.clock.advance(2min);
  const auto threads = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
  };
  const auto threadsBefore = threads();
  WorkloadCluster good(site.loop, site.outside);
  crowd.addCluster("c1", WorkloadCluster::kubeconfig("c1"));
  Course course;
  crowd.addMachine("c1", "m1");
  std::string host;
  course.toProvisioned = crowd.until(
      [&] {
        const auto metal = crowd.machine("m1");
        const std::string* link = metal.metadata.annotation(std::string(api::capm3::annotation::host));
        host = link == nullptr ? "" : link->substr(link->find('/') + 1);
        return !host.empty() && site.state(host) == "provisioned";
      },
      10min);
  site.loop.clock.advance(5s);
  kube::Node node;
  node.metadata.name = "n1";
  node.metadata.labels["metal3.io/uuid"] = site.host(host).value().metadata.uid;
  good.create(std::move(node));
  course.toNode = crowd.until([&] { return crowd.machine("m1").status.initialization.provisioned == true; }, 10min);
  course.writes = good.writes;

  CHECK(threads() == threadsBefore);
  for (int i = 0; i < deadClusters; ++i) {
    const DeadServer& server = *crowd.dead[static_cast<std::size_t>(i)];
    INFO("dead" << i);
    CHECK(server.mostOpen <= 2);   // a probe and the Nodes
    CHECK(server.requests <= 60);  // in two minutes and what came after
    const auto metal = crowd.machine(fmt::format("dead{}-m", i));
    CHECK_FALSE(metal.status.initialization.provisioned.value_or(false));
    const auto* nodes = kube::findCondition(metal.status.conditions, "AssociateMetal3MachineMetaData");
    REQUIRE(nodes != nullptr);
    CHECK_THAT(nodes->message, Catch::Contains("the Nodes of the workload cluster are not known"));
  }
  return course;
}

}  // namespace

TEST_CASE("a hundred workload clusters that cannot be reached do not slow the machines of one that can", "[scenario]") {
  const Course usual = healthyBeside(0);
  const Course crowded = healthyBeside(100);
  CHECK(crowded.toProvisioned <= usual.toProvisioned + 1s);
  CHECK(crowded.toNode <= usual.toNode + 1s);
  CHECK(crowded.writes == usual.writes);
}

}  // namespace ingot::tests
