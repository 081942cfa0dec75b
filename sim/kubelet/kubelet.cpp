#include "sim/kubelet/kubelet.hpp"

#include "json/yaml.hpp"
#include "sim/kubelet/kubeadm_objects.hpp"

namespace ingot::sim::kubelet {

namespace {

using namespace std::chrono_literals;
constexpr base::Duration bootRetryPause = 5s;
constexpr int absent = 404, notAllowed = 405;

std::string versionIn(const json::Value& kubeadmConfigMap) {
  const auto text = json::textAt(kubeadmConfigMap, {"data", "ClusterConfiguration"});
  return json::textAt(json::parseYamlValue(text), {"kubernetesVersion"});
}

}  // namespace

Kubelet::Kubelet(base::Runtime runtime, net::HttpTransport& transport, firstboot::Membership member, MachineFacts facts,
                 InstalledNode& disk, std::function<bool()> hangs, KubeletOptions options)
    : runtime_{runtime.executor, runtime.clock, runtime.random, runtime.log.with("node", member.node.name)},
      member_(std::move(member)),
      facts_(std::move(facts)),
      disk_(disk),
      hangs_(std::move(hangs)),
      wire_(runtime_.clock, transport, hangs_),
      options_(options),
      attempts_(runtime_.log) {}

base::Task<void> Kubelet::run() {
  while (hangs_() || !co_await attempts_.succeeds(enter())) co_await runtime_.clock.sleepFor(bootRetryPause);
  runtime_.log.info("the Node is registered and well");
  while (true) {
    co_await runtime_.clock.sleepFor(options_.beat);
    if (!hangs_()) (void)co_await attempts_.succeeds(beat());
  }
}

base::Task<void> Kubelet::enter() {
  const auto now = runtime_.clock.wall();
  if (member_.isControlPlane()) {
    disk_.identity = kubeletIdentity(member_, now);
    admin_.emplace(wire_, accessOf(member_.serverUrl, adminIdentity(member_, now)));
  } else if (!disk_.identity) {
    disk_.identity = co_await buyIdentity(runtime_, wire_, member_);
    if (disk_.onChange) disk_.onChange();
  }
  api_.emplace(wire_, accessOf(member_.serverUrl, *disk_.identity));
  if (member_.isFirst() && !disk_.initialized) co_await initCluster();
  version_ = co_await findVersion();

  const auto node = co_await registerNode();
  if (member_.isControlPlane()) {
    co_await markControlPlane(node);
    co_await runStaticPods(node);
  }
  co_await renewLease();
  co_await sayWell(node);
}

base::Task<void> Kubelet::initCluster() {
  co_await admin_->createOrMerge(kubeadmConfig(member_.clusterConfiguration));
  co_await admin_->createOrMerge(clusterInfo(member_.serverUrl, member_.authority->certificatePem));
  for (auto& right : rightsOfJoiners()) (void)co_await createIfServed(*admin_, std::move(right));
  disk_.initialized = true;
  if (disk_.onChange) disk_.onChange();
}

// kubeadm's configuration says it; a cluster that kubeadm did not make says what it runs itself.
base::Task<std::string> Kubelet::findVersion() {
  if (member_.isFirst())
    if (auto version = json::textAt(member_.clusterConfiguration, {"kubernetesVersion"}); !version.empty())
      co_return version;
  try {
    const auto found = co_await api_->get(std::string(kubeadmConfigPath));
    if (found)
      if (auto version = versionIn(*found); !version.empty()) co_return version;
  } catch (const ApiError&) {  // it may not be read: nobody said so to this Node's group
  }
  const auto server = co_await api_->get("/version");
  co_return server ? json::textAt(*server, {"gitVersion"}) : "";
}

base::Task<json::Value> Kubelet::registerNode() {
  auto node = co_await api_->get(nodePath());
  if (node) co_return std::move(*node);
  runtime_.log.info("registers the Node", {{"providerID", member_.node.providerId}});
  co_return co_await api_->create(nodeObject(member_.node));
}

// A kubelet may not give itself a role, so kubeadm does it as administrator.
base::Task<void> Kubelet::markControlPlane(json::Value node) {
  const auto* labels = json::objectAt(node, {"metadata", "labels"});
  if (labels && labels->contains(firstboot::controlPlaneRole)) co_return;
  json::Object marks{{firstboot::controlPlaneRole, ""},
                     {"node.kubernetes.io/exclude-from-external-load-balancers", ""}};
  (void)co_await admin_->merge(nodePath(), {{"metadata", {{"labels", std::move(marks)}}}});
}

base::Task<void> Kubelet::runStaticPods(json::Value node) {
  for (const auto component : controlPlaneComponents) {
    const auto pod = mirrorPod(component, node);
    if (!co_await createIfServed(*api_, pod)) co_return;
    (void)co_await api_->merge(pathOf(pod) + "/status", readyPodStatus(runtime_.clock.wall()));
  }
  runsPods_ = true;
}

// Others declare the Pods of a silent Node not ready, or take them away.
base::Task<void> Kubelet::keepStaticPods(json::Value node) {
  for (const auto component : controlPlaneComponents) {
    const auto seen = co_await api_->get(pathOf(mirrorPod(component, node)));
    if (!seen || !isReadyPod(*seen)) co_return co_await runStaticPods(std::move(node));
  }
}

// Not every API that Nodes are kept in knows Pods, or rights: Ingot's own does not.
base::Task<bool> Kubelet::createIfServed(Api& api, json::Value object) {
  const auto kind = json::textAt(object, {"kind"});
  try {
    (void)co_await api.createIfAbsent(std::move(object));
    co_return true;
  } catch (const ApiError& error) {
    if (error.status() != absent && error.status() != notAllowed) throw;
  }
  runtime_.log.warn("the API does not serve this kind", {{"kind", kind}});
  co_return false;
}

base::Task<void> Kubelet::sayWell(json::Value node) {
  (void)co_await api_->merge(nodePath() + "/status", wellNodeStatus(node, facts_, version_, runtime_.clock.wall()));
  nextStatus_ = runtime_.clock.now() + options_.statusPause;
}

base::Task<void> Kubelet::renewLease() {
  const auto path = pathOf("coordination.k8s.io/v1", "leases", leaseNamespace, member_.node.name);
  const auto renewed = base::formatMicroTime(runtime_.clock.wall());
  try {
    (void)co_await api_->merge(path, {{"spec", {{"renewTime", renewed}}}});
    co_return;
  } catch (const ApiError& error) {
    if (error.status() != absent) throw;
  }
  const auto node = co_await api_->get(nodePath());
  if (node) (void)co_await api_->create(leaseObject(*node, runtime_.clock.wall()));
}

base::Task<void> Kubelet::beat() {
  co_await renewLease();
  if (runtime_.clock.now() < nextStatus_) co_return;
  const auto node = co_await api_->get(nodePath());
  if (!node) co_return;
  co_await sayWell(*node);
  if (runsPods_) co_await keepStaticPods(*node);
}

std::string Kubelet::nodePath() const { return pathOf("v1", "nodes", {}, member_.node.name); }

}  // namespace ingot::sim::kubelet
