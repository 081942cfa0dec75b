#include "tests/coordinator/remediation/site.hpp"

#include "api/capm3/names.hpp"
#include "api/crd/crd.hpp"
#include "api/kinds/kinds.hpp"
#include "coordinator/remediation/node_record.hpp"
#include "coordinator/remediation/power_hold.hpp"
#include "kube/runtime/conditions.hpp"
#include "tests/support/passes.hpp"

#include <algorithm>

namespace ingot::tests {

namespace {

namespace remediation = coordinator::remediation;

constexpr const char* kProviderId = "metal3://metal/h1/m1";

std::vector<json::Object> kindsOfSite() {
  auto all = api::crdsOf(api::KindSet::clusterApi);
  for (auto& definition : api::crdsOf(api::KindSet::hosts)) all.push_back(std::move(definition));
  for (auto& definition : {api::crdOf<Cluster>(), api::crdOf<Machine>()}) all.push_back(definition);
  return all;
}

const std::vector<json::Object>& definitions() {
  static const std::vector<json::Object> all = kindsOfSite();
  return all;
}

}  // namespace

struct RemediationSite::Life {
  explicit Life(RemediationSite& site)
      : client(kube::connect(site.loop.runtime, site.network(), {.server = kProcess})),
        caches(site.loop.runtime, *client, {.unreadable = site.unreadable}),
        nodes(site.loop.runtime, client->api(), site.network()),
        leavingClusters(nodes.endWith(caches.clusters)),
        controllers(site.loop.runtime, {.client = *client,
                                        .page = page,
                                        .caches = caches,
                                        .nodes = nodes,
                                        .unreadable = site.unreadable,
                                        .readings = [&site](const BareMetalHost& host) { return site.readingOf(host); },
                                        .watchFilter = site.watchFilter}),
        tasks(site.loop.runtime.executor, site.loop.runtime.log) {
    tasks.spawn("workload clusters", nodes.run());
    kube::start(tasks, controllers.managed());
  }

  std::unique_ptr<kube::Client> client;
  base::Metrics page;
  coordinator::Caches caches;
  coordinator::workload::ClusterCache nodes;
  kube::Subscription leavingClusters;
  remediation::Controllers controllers;
  base::VitalTasks tasks;
};

RemediationSite::RemediationSite(std::string minorVersion)
    : ApiSite(definitions()), workload(loop, network()), minorVersion_(std::move(minorVersion)) {
  workload.answer = [this](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    const auto body = [](std::string text) { return net::HttpResponse{.status = 200, .body = std::move(text)}; };
    const bool isRefused = refusal && request.path().starts_with(refusal->path) &&
                           (refusal->method.empty() || refusal->method == request.method);
    if (isRefused) return net::HttpResponse{.status = refusal->status, .body = "no"};
    if (request.path() == "/version") return body(fmt::format(R"({{"major":"1","minor":"{}"}})", minorVersion_));
    if (request.path() == "/api/v1/pods") return body(R"({"items":)" + pods + "}");
    if (request.path().ends_with("/volumeattachments")) return body(R"({"items":)" + volumes + "}");
    return std::nullopt;
  };
  Cluster cluster;
  cluster.metadata = {.name = "c1", .namespace_ = "metal"};
  cluster.spec.infrastructureRef = {.apiGroup = std::string(api::capm3::kGroup), .kind = "Metal3Cluster", .name = "c1"};
  create(cluster);
  create(WorkloadCluster::kubeconfig("c1"));

  Machine machine;
  machine.metadata = {.name = "m1", .namespace_ = "metal"};
  machine.metadata.labels[std::string(api::capm3::label::clusterName)] = "c1";
  machine.spec.clusterName = "c1";
  machine.spec.providerID = kProviderId;
  machine.spec.bootstrap.dataSecretName = "m1-boot";
  machine.spec.infrastructureRef = {.apiGroup = std::string(api::capm3::kGroup), .kind = "Metal3Machine", .name = "m1"};
  const Machine owner = create(machine);
  patchStatus<Machine>("m1", R"({"status":{"nodeRef":{"name":"n1"}}})");
  healthy(false);
  Metal3Machine metal;
  metal.metadata = {.name = "m1", .namespace_ = "metal"};
  metal.metadata.ownerReferences = {kube::ownerReferenceTo(owner, true)};
  metal.metadata.annotations[std::string(api::capm3::annotation::host)] = "metal/h1";
  metal.spec.image = {.url = "http://images/os.raw", .checksum = "http://images/sums"};
  create(metal);
  BareMetalHost host;
  host.metadata = {.name = "h1", .namespace_ = "metal"};
  host.spec.bmc = {.address = "redfish://10.0.0.1/redfish/v1/Systems/1", .credentialsName = "h1-bmc"};
  host.spec.bootMACAddress = "02:00:00:00:00:01";
  host.spec.online = true;
  host.spec.consumerRef = kube::ObjectReference{.kind = "Metal3Machine",
                                                .namespace_ = "metal",
                                                .name = "m1",
                                                .apiVersion = "infrastructure.cluster.x-k8s.io/v1beta2"};
  create(host);
  power(true);
  join({{"role", "db"}});
  workload.patch<kube::Node>({"", "n1"}, R"({"metadata":{"annotations":{"note":"kept"}}})");
  start();
  settle();
}

std::optional<remediation::AgentReading> RemediationSite::readingOf(const BareMetalHost& host) const {
  if (!hasAgent) return std::nullopt;
  const auto shown = host.status.poweredOn ? bmc::Power::on : bmc::Power::off;
  return remediation::AgentReading{.power = agentReads.value_or(shown), .at = loop.runtime.clock.now()};
}

RemediationSite::~RemediationSite() { kill(); }

void RemediationSite::start() {
  dead = false;
  dieAtWrite.reset();
  life_ = std::make_unique<Life>(*this);
}

void RemediationSite::kill() {
  if (!life_) return;
  run(life_->tasks.close());
  life_.reset();
}

void RemediationSite::remediate(const std::function<void(Metal3Remediation&)>& change) {
  Metal3Remediation it;
  it.metadata = {.name = "m1", .namespace_ = "metal"};
  it.metadata.ownerReferences = {kube::ownerReferenceTo(find<Machine>("m1").value(), false)};
  it.spec.strategy = {.type = "Reboot", .retryLimit = 1, .timeoutSeconds = 600};
  if (change) change(it);
  create(it);
  settle();
}

std::string RemediationSite::healthCheck(bool succeeded) {
  const std::string text = R"({{"status":{{"conditions":[{{"type":"HealthCheckSucceeded","status":"{}","reason":"R",)"
                           R"("message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}}]}}}})";
  return fmt::format(fmt::runtime(text), succeeded ? "True" : "False");
}

void RemediationSite::power(bool on, const std::string& known) {
  const BareMetalHost before = host();
  const auto* now = kube::findCondition(before.status.conditions, "PowerStateKnown");
  const bool same = now != nullptr && now->status == known && now->lastTransitionTime;
  writePower(on, known, base::formatTime(same ? *now->lastTransitionTime : loop.clock.wall()));
}

void RemediationSite::writePower(bool on, const std::string& known, const std::string& since) {
  const std::string condition =
      known.empty() ? ""
                    : fmt::format(R"({{"type":"PowerStateKnown","status":"{}","reason":"Read","message":"",)"
                                  R"("lastTransitionTime":"{}"}})",
                                  known, since);
  patchStatus<BareMetalHost>("h1", fmt::format(R"({{"status":{{"poweredOn":{},"conditions":[{}],"errorMessage":"",)"
                                               R"("operationalStatus":"OK","provisioning":{{"state":"provisioned",)"
                                               R"("ID":"id"}}}}}})",
                                               on, condition));
}

void RemediationSite::obey() {
  const auto now = host();
  const bool wanted = now.spec.online && remediation::holdersOf(now).empty();
  if (obeys && now.status.poweredOn != wanted) power(wanted);
  settle();
}

void RemediationSite::join(const std::map<std::string, std::string>& labels) {
  kube::Node joined;
  joined.metadata.name = "n1";
  joined.metadata.labels = labels;
  joined.metadata.labels["kubernetes.io/hostname"] = "n1";
  joined.spec.providerId = kProviderId;
  workload.create(std::move(joined));
  settle();
}

bool RemediationSite::isHeldOff() { return remediation::isHeldOff(host(), it().metadata.uid); }

bool RemediationSite::isTainted() { return remediation::isOutOfService(node().value()); }

std::string RemediationSite::ownerRemediated() {
  const auto machine = find<Machine>("m1").value();
  const auto* condition = kube::findCondition(machine.status.conditions, "OwnerRemediated");
  if (condition == nullptr) return "";
  return fmt::format("{}/{}: {}", condition->status, condition->reason, condition->message);
}

std::string RemediationSite::ownerRemediatedLegacy() {
  const auto machine = find<Machine>("m1").value();
  for (const auto& condition : machine.status.deprecated.v1beta1.conditions)
    if (condition.type == "OwnerRemediated")
      return fmt::format("{}/{}/{}", condition.status, condition.severity, condition.reason);
  return "";
}

int RemediationSite::passes() const { return passesOf(life_->page, "metal3remediation"); }
int RemediationSite::retries() const { return retriesOf(life_->page, "metal3remediation"); }

}  // namespace ingot::tests
