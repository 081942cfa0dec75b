// The controller of labels in front of a whole API, with the API of a workload cluster, all in memory.
#pragma once

#include "coordinator/label_sync/controllers.hpp"

#include "api/capm3/names.hpp"
#include "api/crd/crd.hpp"
#include "api/kinds/kinds.hpp"
#include "tests/coordinator/cluster/builders.hpp"
#include "tests/support/api_site.hpp"
#include "tests/support/passes.hpp"
#include "tests/support/workload_cluster.hpp"

namespace ingot::tests {

using namespace std::chrono_literals;
using api::BareMetalHost;
using api::capm3::v1beta2::Metal3Machine;
using Labels = std::map<std::string, std::string>;

inline std::vector<json::Object> labelDefinitions() {
  auto all = api::crdsOf(api::KindSet::clusterApi);
  for (const auto set : {api::KindSet::hosts, api::KindSet::clusterApiCore})
    std::ranges::move(api::crdsOf(set), std::back_inserter(all));
  return all;
}

// Cluster c1 with one machine m1 on host h1, whose Node is node-1.
class LabelSite : public ApiSite {
 public:
  explicit LabelSite(const std::string& prefixes = "rack.example.com", std::string watchFilter = "")
      : ApiSite(labelDefinitions()), workload(loop, network()), watchFilter_(std::move(watchFilter)) {
    const Cluster cluster = create(clusterNamed("c1"));
    Metal3Cluster metal = metalCluster(cluster.metadata.uid);
    if (!prefixes.empty())
      metal.metadata.annotations[std::string(api::capm3::annotation::labelSyncPrefixes)] = prefixes;
    create(metal);
    create(WorkloadCluster::kubeconfig("c1"));
    addMachine("c1", "1");
    kube::Node node;
    node.metadata = {.name = "node-1", .labels = {{"kubernetes.io/hostname", "node-1"}}};
    workload.create(node);
    start();
  }
  ~LabelSite() { kill(); }

  void start() { life_ = std::make_unique<Life>(*this); }
  void kill() {
    if (life_) run(life_->tasks.close());
    life_.reset();
  }

  void addCluster(const std::string& name) {
    const Cluster cluster = create(clusterNamed(name));
    Metal3Cluster metal = metalCluster(cluster.metadata.uid);
    metal.metadata.name = name;
    metal.metadata.labels[std::string(api::capm3::label::clusterName)] = name;
    metal.metadata.ownerReferences.front().name = name;
    metal.metadata.annotations[std::string(api::capm3::annotation::labelSyncPrefixes)] = "rack.example.com";
    create(metal);
    create(WorkloadCluster::kubeconfig(name));
  }
  // Metal3Machine m<number> on host h<number>.
  void addMachine(const std::string& cluster, const std::string& number) {
    Machine machine = machineOf(cluster, "m" + number);
    machine.metadata.labels[std::string(api::capm3::label::clusterName)] = cluster;
    const Machine owner = create(machine);
    Metal3Machine metal;
    metal.metadata = {.name = owner.metadata.name, .namespace_ = "metal"};
    metal.metadata.annotations[std::string(api::capm3::annotation::host)] = "metal/h" + number;
    metal.metadata.ownerReferences = {kube::ownerReferenceTo(owner, true)};
    metal.spec.image = {.url = "http://images/os.raw", .checksum = "http://images/sums"};
    create(metal);
    BareMetalHost host;
    host.metadata = {
        .name = "h" + number, .namespace_ = "metal", .labels = {{"rack.example.com/row", "7"}, {"plain", "1"}}};
    host.spec.consumerRef = api::ObjectReference{};
    host.spec.consumerRef->apiVersion = "infrastructure.cluster.x-k8s.io/v1beta2";
    host.spec.consumerRef->kind = "Metal3Machine";
    host.spec.consumerRef->namespace_ = "metal";
    host.spec.consumerRef->name = metal.metadata.name;
    create(host);
  }
  // It runs on Node node-<number>.
  void joins(const std::string& number) {
    kube::Node node;
    node.metadata.name = "node-" + number;
    workload.create(node);
    patchStatus<Machine>("m" + number, R"({"status":{"nodeRef":{"name":"node-)" + number + R"("}}})");
  }

  void label(const std::string& mergePatch) {
    patch<BareMetalHost>("h1", R"({"metadata":{"labels":)" + mergePatch + "}}");
    settle();
  }
  template <class T>
  void annotate(const std::string& name, const std::string& mergePatch) {
    patch<T>(name, R"({"metadata":{"annotations":)" + mergePatch + "}}");
    settle();
  }
  void runsOn(const std::string& node) {
    patchStatus<Machine>("m1", R"({"status":{"nodeRef":{"name":")" + node + R"("}}})");
    settle();
  }
  [[nodiscard]] Labels synced() {
    auto labels = workload.find<kube::Node>({"", "node-1"})->metadata.labels;
    labels.erase("kubernetes.io/hostname");
    return labels;
  }
  [[nodiscard]] int passes() const { return passesOf(life_->page, "metal3labelsync"); }

  WorkloadCluster workload;

 private:
  struct Life {
    explicit Life(LabelSite& site)
        : client(kube::connect(site.loop.runtime, site.network(), {.server = kProcess})),
          caches(site.loop.runtime, *client),
          nodes(site.loop.runtime, client->api(), site.network()),
          controllers(
              site.loop.runtime,
              {.client = *client, .page = page, .caches = caches, .nodes = nodes, .watchFilter = site.watchFilter_}),
          tasks(site.loop.runtime.executor, site.loop.runtime.log) {
      tasks.spawn("workload clusters", nodes.run());
      kube::start(tasks, controllers.managed());
    }
    std::unique_ptr<kube::Client> client;
    base::Metrics page;
    coordinator::Caches caches;
    coordinator::workload::ClusterCache nodes;
    coordinator::label_sync::Controllers controllers;
    base::VitalTasks tasks;
  };

  std::string watchFilter_;
  std::unique_ptr<Life> life_;
};

}  // namespace ingot::tests
