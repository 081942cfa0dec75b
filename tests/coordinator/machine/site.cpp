#include "tests/coordinator/machine/site.hpp"

#include "api/capm3/names.hpp"
#include "api/crd/crd.hpp"
#include "api/kinds/kinds.hpp"
#include "kube/core/secret.hpp"
#include "kube/runtime/conditions.hpp"
#include "tests/support/passes.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

namespace {

std::vector<json::Object> kindsOfSite() {
  auto all = api::crdsOf(api::KindSet::clusterApi);
  for (auto& definition : api::crdsOf(api::KindSet::hosts)) all.push_back(std::move(definition));
  for (auto& definition : {api::crdOf<Cluster>(), api::crdOf<Machine>(), api::crdOf<api::capi::MachineSet>()})
    all.push_back(definition);
  return all;
}

std::vector<json::Object> definitions(const std::vector<json::Object>& more) {
  static const std::vector<json::Object> always = kindsOfSite();
  std::vector<json::Object> all = always;
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::string text(const std::string& status, const std::string& reason, const std::string& message) {
  return fmt::format("{}{}{}{}", status, reason.empty() ? "" : "/" + reason, message.empty() ? "" : ": ", message);
}

}  // namespace

struct MachineSite::Life {
  explicit Life(MachineSite& site)
      : client(kube::connect(site.loop.runtime, site.network(), {.server = kProcess})),
        caches(site.loop.runtime, *client, {.unreadable = site.unreadable}),
        nodes(site.loop.runtime, client->api(), site.network()),
        leavingClusters(nodes.endWith(caches.clusters)),
        controllers(site.loop.runtime, {.client = *client,
                                        .page = page,
                                        .caches = caches,
                                        .nodes = nodes,
                                        .watchFilter = site.watchFilter,
                                        .fastTrack = site.fastTrack,
                                        .carrying = site.carrying}),
        tasks(site.loop.runtime.executor, site.loop.runtime.log) {
    tasks.spawn("workload clusters", nodes.run());
    kube::start(tasks, controllers.managed());
  }

  std::unique_ptr<kube::Client> client;
  base::Metrics page;
  coordinator::Caches caches;
  coordinator::workload::ClusterCache nodes;
  kube::Subscription leavingClusters;
  coordinator::machine::Controllers controllers;
  base::VitalTasks tasks;
};

MachineSite::MachineSite(const std::vector<json::Object>& more)
    : ApiSite(definitions(more)), workload(loop, network()) {
  addCluster("c1");
  start();
}

MachineSite::~MachineSite() { kill(); }

void MachineSite::start() {
  dead = false;
  dieAtWrite.reset();
  life_ = std::make_unique<Life>(*this);
}

void MachineSite::kill() {
  if (!life_) return;
  run(life_->tasks.close());
  life_.reset();
}

void MachineSite::addCluster(const std::string& name) {
  Cluster cluster;
  cluster.metadata = {.name = name, .namespace_ = "metal"};
  cluster.spec.infrastructureRef = {.apiGroup = std::string(api::capm3::kGroup), .kind = "Metal3Cluster", .name = name};
  create(cluster);
  patchStatus<Cluster>(name, R"({"status":{"initialization":{"infrastructureProvisioned":true}}})");
  Metal3Cluster metal;
  metal.metadata = {.name = name, .namespace_ = "metal"};
  metal.metadata.labels[std::string(api::capm3::label::clusterName)] = name;
  metal.spec.controlPlaneEndpoint = {.host = "192.0.2.10", .port = 6443};
  create(metal);
  create(WorkloadCluster::kubeconfig(name));
}

void MachineSite::addMachine(const std::string& name, const std::function<void(Metal3Machine&)>& change) {
  Machine machine;
  machine.metadata = {.name = name, .namespace_ = "metal"};
  machine.metadata.labels[std::string(api::capm3::label::clusterName)] = ofCluster;
  machine.spec.clusterName = ofCluster;
  if (ofProvider)
    machine.spec.bootstrap.configRef = {
        .apiGroup = "bootstrap.cluster.x-k8s.io", .kind = "KubeadmConfig", .name = name};
  machine.spec.bootstrap.dataSecretName = name + "-boot";
  machine.spec.infrastructureRef = {.apiGroup = std::string(api::capm3::kGroup), .kind = "Metal3Machine", .name = name};
  const Machine owner = create(machine);
  patchStatus<Machine>(name, R"({"status":{"initialization":{"bootstrapDataSecretCreated":true}}})");
  Metal3Machine metal;
  metal.metadata = {.name = name, .namespace_ = "metal"};
  metal.metadata.labels[std::string(api::capm3::label::clusterName)] = ofCluster;
  metal.metadata.ownerReferences = {kube::ownerReferenceTo(owner, true)};
  metal.spec.image = {.url = "http://images/os.raw", .checksum = "http://images/sums"};
  if (change) change(metal);
  create(metal);
}

json::Value MachineSite::createDocument(const kube::Resource& resource, const std::string& text) {
  return run(user().api().create(resource, "metal", json::parse(text)));
}

void MachineSite::removeMachine(const std::string& name) { remove<Metal3Machine>(name); }

void MachineSite::addHost(const std::string& name, const Labels& labels, const std::string& state) {
  kube::Secret secret;
  secret.metadata = {.name = name + "-bmc", .namespace_ = "metal"};
  secret.metadata.labels["environment.metal3.io"] = "baremetal";
  create(secret);
  BareMetalHost host;
  host.metadata = {.name = name, .namespace_ = "metal", .labels = labels};
  host.spec.bmc = {.address = "redfish://10.0.0.1/redfish/v1/Systems/" + name, .credentialsName = name + "-bmc"};
  host.spec.bootMACAddress = "02:00:00:00:00:01";
  create(host);
  patchStatus<BareMetalHost>(
      name,
      fmt::format(
          R"({{"status":{{"provisioning":{{"state":"{}","ID":"id"}},"operationalStatus":"OK","poweredOn":false,)"
          R"("errorMessage":"","lastUpdated":"2026-01-01T00:00:00Z","hardware":{{"hostname":"{}-node","nics":[{{"name":"eth0","ip":"10.1.0.1"}}]}}}}}})",
          state, name));
}

void MachineSite::settle(base::Duration time) {
  ApiSite::settle(time);
  bool hasReleased = false;
  for (const auto& claim : all<Metal3DataClaim>()) {
    const auto& meta = claim.metadata;
    const bool isHeldForData = meta.finalizers == std::vector{std::string(api::capm3::finalizer::dataClaim)};
    if (!meta.beingDeleted() || meta.ownerReferences.empty() || !isHeldForData) continue;
    patch<Metal3DataClaim>(meta.name, R"({"metadata":{"finalizers":null}})");
    hasReleased = true;
  }
  if (hasReleased) ApiSite::settle(time);
}

void MachineSite::state(const std::string& host, const std::string& state) {
  patchStatus<BareMetalHost>(host, fmt::format(R"({{"status":{{"provisioning":{{"state":"{}"}}}}}})", state));
  settle();
}

void MachineSite::renderData(const std::string& machine, const std::string& name, bool withNetworkData) {
  const std::string called = name.empty() ? machine + "-data" : name;
  const auto claim = find<Metal3DataClaim>(machine).value();
  Metal3Data data;
  data.metadata = {.name = called, .namespace_ = "metal"};
  data.metadata.ownerReferences = claim.metadata.ownerReferences;
  data.spec.index = 0;
  data.spec.claim = {.name = machine, .namespace_ = "metal"};
  data.spec.metaData = {.name = machine + "-metadata", .namespace_ = "metal"};
  if (withNetworkData) data.spec.networkData = {.name = machine + "-networkdata", .namespace_ = "metal"};
  create(data);
  patchStatus<Metal3Data>(called, R"({"status":{"ready":true}})");
  patchStatus<Metal3DataClaim>(
      machine, fmt::format(R"({{"status":{{"renderedData":{{"name":"{}","namespace":"metal"}}}}}})", called));
  settle();
}

void MachineSite::join(const std::string& host, const std::string& node, const std::string& providerId) {
  kube::Node joined;
  joined.metadata.name = node;
  joined.metadata.labels["metal3.io/uuid"] = this->host(host).metadata.uid;
  joined.metadata.labels["kubernetes.io/hostname"] = node;
  joined.spec.providerId = providerId;
  workload.create(std::move(joined));
  settle();
}

void MachineSite::putInService(const std::string& host, const std::string& machine) {
  addHost(host);
  addMachine(machine);
  settle();
  state(host, "provisioned");
  join(host, machine + "-node");
  REQUIRE(isProvisioned(machine));
}

void MachineSite::deploy(const std::function<void(Metal3Machine&)>& change) {
  addHost("h1");
  addMachine("m1", change);
  settle();
  if (machine("m1").spec.dataTemplate) renderData("m1");
  state("h1", "provisioned");
  REQUIRE(host("h1").spec.image);
}

std::optional<kube::Node> MachineSite::node(const std::string& name) { return workload.find<kube::Node>({"", name}); }

std::string MachineSite::consumer(const std::string& host) {
  const auto& reference = this->host(host).spec.consumerRef;
  return reference ? reference->name : "";
}

std::string MachineSite::hostOf(const std::string& machine) {
  const auto found = this->machine(machine);
  const std::string* link = found.metadata.annotation(std::string(api::capm3::annotation::host));
  return link == nullptr ? "" : link->substr(link->find('/') + 1);
}

std::string MachineSite::condition(const std::string& machine, const std::string& type) {
  const auto found = this->machine(machine);
  const auto* condition = kube::findCondition(found.status.conditions, type);
  return condition == nullptr ? "" : text(condition->status, condition->reason, condition->message);
}

std::string MachineSite::legacyCondition(const std::string& machine, const std::string& type) {
  const auto found = this->machine(machine);
  if (!found.status.deprecated || !found.status.deprecated->v1beta1) return "";
  for (const auto& condition : found.status.deprecated->v1beta1->conditions)
    if (condition.type == type) return text(condition.status, condition.reason, "");
  return "";
}

bool MachineSite::isProvisioned(const std::string& machine) {
  return this->machine(machine).status.initialization.provisioned.value_or(false);
}

std::vector<std::string> MachineSite::writesTo(const std::string& pathPart) const {
  std::vector<std::string> out;
  for (const auto& write : writes) {
    if (write.find(pathPart) == std::string::npos) continue;
    out.push_back(write.substr(0, write.find(' ')) + (write.ends_with("/status") ? "/status" : ""));
  }
  return out;
}

std::size_t MachineSite::hostReads() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      reads, [](const auto& path) { return path.find("/baremetalhosts/") != std::string::npos; }));
}

int MachineSite::passes(const std::string& controller) const { return passesOf(life_->page, controller); }
int MachineSite::retries() const { return retriesOf(life_->page, "metal3machine"); }

}  // namespace ingot::tests
