#include "tests/coordinator/seeds/cast.hpp"

#include "api/capi/cluster.hpp"
#include "api/capi/machine.hpp"
#include "api/capi/owners.hpp"
#include "api/capm3/v1beta2/metal3_cluster.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "api/capm3/v1beta2/remediation.hpp"
#include "kube/core/object_reference.hpp"
#include "kube/core/secret.hpp"

#include <algorithm>

namespace ingot::tests::seeds {

namespace {

using api::capi::Cluster;
using api::capi::Machine;
using api::capi::MachineSet;
using api::capm3::v1beta2::Metal3Cluster;
using api::capm3::v1beta2::Metal3Machine;
using api::capm3::v1beta2::Metal3Remediation;

constexpr const char* kMachineTemplate =
    R"("infrastructureRef":{"apiGroup":"infrastructure.cluster.x-k8s.io","kind":"Metal3MachineTemplate","name":"workers"})";

constexpr const char* kLetGo = R"({"metadata":{"finalizers":null}})";

using Path = std::initializer_list<std::string_view>;
constexpr Path kConditions = {"status", "conditions"},
               kOldConditions = {"status", "deprecated", "v1beta1", "conditions"};

std::string clusterOf(const json::Value& machine) { return label(machine, "cluster.x-k8s.io/cluster-name"); }

std::string kindOfPlane(const Plot& plot) { return plot.planeIsRke2 ? "RKE2ControlPlane" : "KubeadmControlPlane"; }

std::string ownedBy(const char* kind, const kube::ObjectMeta& owner, bool controls) {
  return fmt::format(R"("ownerReferences":[{{"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"{}","name":"{}",)"
                     R"("uid":"{}","controller":{}}}])",
                     kind, owner.name, owner.uid, controls);
}

}  // namespace

void ClusterApi::addCluster(const std::string& name) {
  const auto cluster = world_.make<Cluster>(fmt::format(
      R"({{"metadata":{{"name":"{0}","namespace":"metal","finalizers":["cluster.cluster.x-k8s.io"]}},"spec":{{)"
      R"("infrastructureRef":{{"apiGroup":"infrastructure.cluster.x-k8s.io","kind":"Metal3Cluster","name":"{0}"}}}}}})",
      name));
  world_.make<Metal3Cluster>(fmt::format(
      R"({{"metadata":{{"name":"{0}","namespace":"metal","labels":{{"cluster.x-k8s.io/cluster-name":"{0}"}},)"
      R"("annotations":{{"metal3.io/metal3-label-sync-prefixes":"rack.example.com"}},{1}}},)"
      R"("spec":{{"controlPlaneEndpoint":{{"host":"192.0.2.10","port":6443}}}}}})",
      name, ownedBy("Cluster", cluster.metadata, true)));
  world_.make<MachineSet>(
      fmt::format(R"({{"metadata":{{"name":"set-{0}","namespace":"metal","ownerReferences":[{{"apiVersion":)"
                  R"("cluster.x-k8s.io/v1beta2","kind":"MachineDeployment","name":"{0}","uid":"md"}}]}},"spec":{{)"
                  R"("clusterName":"{0}","template":{{"spec":{{"clusterName":"{0}","bootstrap":{{}},{1}}}}}}}}})",
                  name, kMachineTemplate));
  if (plot_.hasPlane)
    planes_[name] = json::textAt(
        world_.makePlane(plot_.planeIsRke2,
                         fmt::format(R"({{"apiVersion":"controlplane.cluster.x-k8s.io/v1beta2","kind":"{}",)"
                                     R"("metadata":{{"name":"{}","namespace":"metal"}},"spec":{{"machineTemplate":{{)"
                                     R"("spec":{{{}}}}}}}}})",
                                     kindOfPlane(plot_), name, kMachineTemplate)),
        {"metadata", "uid"});
  makeKubeconfig(name, cluster.metadata.uid);
}

void ClusterApi::makeKubeconfig(const std::string& cluster, const std::string& uid) {
  auto kubeconfig = WorkloadCluster::kubeconfig(cluster);
  kubeconfig.metadata.ownerReferences = {
      {.apiVersion = Cluster::info.apiVersion(), .kind = "Cluster", .name = cluster, .uid = uid, .controller = true}};
  world_.create(std::move(kubeconfig));
}

std::string ClusterApi::ownerOfMachines(const std::string& cluster, Role role) const {
  const bool isPlane = role == Role::controlPlane;
  const auto* set = world_.ledger.find("machinesets", "set-" + cluster);
  return fmt::format(R"("ownerReferences":[{{"apiVersion":"{}.x-k8s.io/v1beta2","kind":"{}","name":"{}",)"
                     R"("uid":"{}","controller":true}}])",
                     isPlane ? "controlplane.cluster" : "cluster", isPlane ? kindOfPlane(plot_) : "MachineSet",
                     isPlane ? cluster : "set-" + cluster,
                     isPlane ? planes_.at(cluster) : textAt(set, {"metadata", "uid"}));
}

void ClusterApi::addMachine(const std::string& name, const std::string& cluster, Role role) {
  const std::string labels = fmt::format(R"("labels":{{"cluster.x-k8s.io/cluster-name":"{}"{}}})", cluster,
                                         role == Role::controlPlane ? R"(,"cluster.x-k8s.io/control-plane":"")" : "");
  const auto machine = world_.make<Machine>(fmt::format(
      R"({{"metadata":{{"name":"{0}","namespace":"metal",{1},{3},"finalizers":["machine.cluster.x-k8s.io"]}},"spec":{{)"
      R"("clusterName":"{2}","bootstrap":{{"configRef":{{"apiGroup":"bootstrap.cluster.x-k8s.io",)"
      R"("kind":"KubeadmConfig","name":"{0}"}}}},"infrastructureRef":{{)"
      R"("apiGroup":"infrastructure.cluster.x-k8s.io","kind":"Metal3Machine","name":"{0}"}}}}}})",
      name, labels, cluster, ownerOfMachines(cluster, role)));
  world_.make<Metal3Machine>(fmt::format(
      R"({{"metadata":{{"name":"{0}","namespace":"metal",{1},{2},"annotations":{{)"
      R"("cluster.x-k8s.io/cloned-from-name":"workers",)"
      R"("cluster.x-k8s.io/cloned-from-groupkind":"Metal3MachineTemplate.infrastructure.cluster.x-k8s.io"}}}},)"
      R"("spec":{{"image":{{"url":"http://images/os.raw","checksum":"http://images/sums"}}{3}}}}})",
      name, labels, ownedBy("Machine", machine.metadata, true),
      plot_.hasData ? R"(,"dataTemplate":{"name":"dt"})" : ""));
}

void ClusterApi::removeMachine(const std::string& name) {
  if (world_.ledger.find("machines", name)) world_.remove<Machine>(name);
}

void ClusterApi::act() {
  for (const auto& name : namesOf(world_.ledger.all("clusters")))
    if (const auto* cluster = world_.ledger.find("clusters", name)) lookAfterCluster(name, *cluster);
  for (const auto& name : namesOf(world_.ledger.all("machines")))
    if (const auto* machine = world_.ledger.find("machines", name)) lookAfterMachine(name, *machine);
  lookAfterHealth();
}

bool ClusterApi::isPaused(const std::string& cluster) const {
  return isTrue(world_.ledger.find("clusters", cluster), {"spec", "paused"});
}

void ClusterApi::lookAfterCluster(const std::string& name, const json::Value& cluster) {
  if (isPaused(name)) return;
  if (isLeaving(cluster)) return endCluster(name);
  const bool isReady = isTrue(world_.ledger.find("metal3clusters", name), {"status", "initialization", "provisioned"});
  if (isReady && !isTrue(&cluster, {"status", "initialization", "infrastructureProvisioned"}))
    world_.report<Cluster>(name, R"({"initialization":{"infrastructureProvisioned":true}})");
  restoreSecrets(name);
}

void ClusterApi::endCluster(const std::string& name) {
  bool isEmpty = true;
  for (const auto& machine : namesOf(world_.ledger.all("machines"))) {
    const auto* object = world_.ledger.find("machines", machine);
    if (!object || clusterOf(*object) != name) continue;
    isEmpty = false;
    if (!isLeaving(*object)) removeMachine(machine);
  }
  if (!isEmpty) return;
  if (world_.ledger.find("machinesets", "set-" + name)) world_.remove<MachineSet>("set-" + name);
  if (planes_.erase(name) > 0) world_.removePlane(plot_.planeIsRke2, name);
  const auto* metal = world_.ledger.find("metal3clusters", name);
  if (!metal) return world_.change<Cluster>(name, kLetGo);
  if (!isLeaving(*metal)) world_.remove<Metal3Cluster>(name);
}

void ClusterApi::lookAfterMachine(const std::string& name, const json::Value& machine) {
  if (isPaused(clusterOf(machine))) return;
  if (isLeaving(machine)) return endMachine(name);
  if (!has(&machine, {"spec", "bootstrap", "dataSecretName"})) return soon() ? bootstrap(name, machine) : void();
  const auto* metal = world_.ledger.find("metal3machines", name);
  const std::string id = textAt(metal, {"spec", "providerID"});
  if (!isTrue(metal, {"status", "initialization", "provisioned"}) || id.empty()) return;
  if (textAt(&machine, {"spec", "providerID"}) != id)
    world_.change<Machine>(name, fmt::format(R"({{"spec":{{"providerID":"{}"}}}})", id));
  const std::string node = nodeWith(id);
  if (!node.empty() && textAt(&machine, {"status", "nodeRef", "name"}).empty())
    world_.report<Machine>(name, fmt::format(R"({{"nodeRef":{{"name":"{}"}}}})", node));
}

void ClusterApi::endMachine(const std::string& name) {
  const auto* metal = world_.ledger.find("metal3machines", name);
  if (!metal) return world_.change<Machine>(name, kLetGo);
  if (!isLeaving(*metal)) world_.remove<Metal3Machine>(name);
}

void ClusterApi::bootstrap(const std::string& name, const json::Value& machine) {
  makeBootstrapSecret(name, json::textAt(machine, {"metadata", "uid"}));
  world_.change<Machine>(name, fmt::format(R"({{"spec":{{"bootstrap":{{"dataSecretName":"{}-boot"}}}}}})", name));
  world_.report<Machine>(name, R"({"initialization":{"bootstrapDataSecretCreated":true}})");
}

void ClusterApi::makeBootstrapSecret(const std::string& machine, const std::string& uid) {
  world_.make<kube::Secret>(
      fmt::format(R"({{"metadata":{{"name":"{}-boot","namespace":"metal",{}}},"data":{{"value":"YQ=="}}}})", machine,
                  ownedBy("Machine", {.name = machine, .uid = uid}, true)));
}

// Whoever has made them makes them again.
void ClusterApi::restoreSecrets(const std::string& cluster) {
  const auto* object = world_.ledger.find("clusters", cluster);
  const auto isMissing = [&](const std::string& secret) {
    return !world_.ledger.find("secrets", secret) && world_.loop.random->below(10) == 0;
  };
  if (isMissing(cluster + "-kubeconfig")) makeKubeconfig(cluster, textAt(object, {"metadata", "uid"}));
  for (const auto& name : namesOf(world_.ledger.all("machines"))) {
    const auto* machine = world_.ledger.find("machines", name);
    const bool isOurs = machine && clusterOf(*machine) == cluster && !isLeaving(*machine);
    if (isOurs && has(machine, {"spec", "bootstrap", "dataSecretName"}) && isMissing(name + "-boot"))
      makeBootstrapSecret(name, textAt(machine, {"metadata", "uid"}));
  }
}

std::string ClusterApi::nodeWith(const std::string& providerId) const {
  for (const auto& [name, node] : world_.nodes.all("nodes"))
    if (textAt(&node, {"spec", "providerID"}) == providerId) return name;
  return "";
}

void ClusterApi::fallIll(const std::string& machine) {
  ill_ = machine;
  reportHealth(machine, false);
  const kube::ObjectMeta owner{.name = machine,
                               .uid = textAt(world_.ledger.find("machines", machine), {"metadata", "uid"})};
  world_.make<Metal3Remediation>(
      fmt::format(R"({{"metadata":{{"name":"{}","namespace":"metal",{}}},"spec":{{"strategy":{{"type":"Reboot",)"
                  R"("retryLimit":1,"timeoutSeconds":{}}}}}}})",
                  machine, ownedBy("Machine", owner, false), plot_.obeys ? 1800 : 100));
}

// In both dialects; conditions of others stay.
void ClusterApi::reportHealth(const std::string& machine, bool succeeded) {
  const auto* object = world_.ledger.find("machines", machine);
  const auto with = [&](Path conditions) {
    json::Array all{json::parse(fmt::format(R"({{"type":"HealthCheckSucceeded","status":"{}","reason":"R",)"
                                            R"("message":"m","lastTransitionTime":"2026-01-01T00:00:00Z"}})",
                                            succeeded ? "True" : "False"))};
    if (const auto* known = object ? json::arrayAt(*object, conditions) : nullptr)
      std::ranges::copy_if(*known, std::back_inserter(all), [](const json::Value& condition) {
        return json::textAt(condition, {"type"}) != "HealthCheckSucceeded";
      });
    return json::serialize(all);
  };
  world_.report<Machine>(machine, fmt::format(R"({{"conditions":{},"deprecated":{{"v1beta1":{{"conditions":{}}}}}}})",
                                              with(kConditions), with(kOldConditions)));
}

// What owners look for before they replace a machine (spec/capm3.md §21 Q25).
bool ClusterApi::isHandedOver(const json::Value& machine) const {
  const auto* all = json::arrayAt(machine, plot_.ownersAreOld ? kOldConditions : kConditions);
  const auto isFalse = [&](std::string_view type) {
    return all != nullptr && std::ranges::any_of(*all, [&](const json::Value& condition) {
             return json::textAt(condition, {"type"}) == type && json::textAt(condition, {"status"}) == "False";
           });
  };
  return isFalse("HealthCheckSucceeded") && isFalse("OwnerRemediated");
}

bool ClusterApi::isRestarted() const {
  const auto* remediation = world_.ledger.find("metal3remediations", ill_);
  return textAt(remediation, {"status", "phase"}) == "Waiting" && !has(remediation, {"metadata", "finalizers"});
}

// Restarted it is well again; handed over it is replaced.
void ClusterApi::lookAfterHealth() {
  if (ill_.empty()) return;
  const auto* machine = world_.ledger.find("machines", ill_);
  const auto* remediation = world_.ledger.find("metal3remediations", ill_);
  if (!machine && !remediation) return ill_.clear();
  if (!machine || isLeaving(*machine)) return;
  if (!remediation) return ill_.clear();
  if (isHandedOver(*machine)) return removeMachine(ill_);
  if (!isRestarted() || isLeaving(*remediation)) return;
  reportHealth(ill_, true);
  world_.remove<Metal3Remediation>(ill_);
}

}  // namespace ingot::tests::seeds
