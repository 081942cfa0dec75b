#include "sim/kubelet/kubelet.hpp"

#include "base/sync.hpp"
#include "sim/kubelet/keys.hpp"
#include "sim/kubelet/kubeadm_objects.hpp"
#include "tests/sim/kubelet/fake_api.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::sim::kubelet;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

const std::string node = "/api/v1/nodes/edge-abc";
const std::string lease = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/edge-abc";
const std::string requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests/";
const std::string pods = "/api/v1/namespaces/kube-system/pods/";

// One machine beside an API. What its disk holds outlives its boots.
struct Site : tests::Loop {
  ~Site() {
    off();
    run(network.close());
  }

  void boot(sim::firstboot::Membership member) {
    off();
    kubelet = std::make_unique<Kubelet>(runtime, network, std::move(member), MachineFacts{"u-1", {"10.9.0.10"}}, disk,
                                        [this] { return hangs; });
    tasks = std::make_unique<base::TaskGroup>(runtime.executor, runtime.log);
    tasks->spawn("kubelet", kubelet->run());
    clock.advance(2s);
  }
  void off() {
    if (tasks) run(tasks->close());
    tasks.reset();
    kubelet.reset();
  }

  sim::firstboot::Membership first() {
    auto member = controlPlane();
    member.clusterConfiguration = json::Object{{"kind", "ClusterConfiguration"}, {"kubernetesVersion", "v1.36.3"}};
    return member;
  }
  sim::firstboot::Membership controlPlane() {
    auto member = common();
    member.authority = {api.authority.certificatePem(), api.authority.keyPair().privateKeyPem};
    member.node.taints = {json::Object{{"key", "node-role.kubernetes.io/control-plane"}, {"effect", "NoSchedule"}}};
    return member;
  }
  sim::firstboot::Membership worker() {
    auto member = common();
    member.discovery = {.token = base::Secret("abcdef.secret"),
                        .caCertHashes = {publicKeyHash(api.authority.certificatePem())}};
    return member;
  }
  // What `kubeadm init` left.
  void initialized() {
    put(std::string(clusterInfoPath), clusterInfo("https://10.9.0.5:6443", api.authority.certificatePem()));
    put(std::string(kubeadmConfigPath), kubeadmConfig(json::Object{{"kubernetesVersion", "v1.36.3"}}));
  }
  void put(const std::string& path, json::Value object) { api.objects[path] = std::move(object); }
  std::string condition(const std::string& field) {
    for (const auto& each : *json::arrayAt(api.objects.at(node), {"status", "conditions"}))
      if (json::textAt(each, {"type"}) == "Ready") return json::textAt(each, {field});
    return "";
  }

  net::Loopback network{runtime};
  tests::FakeApi api{runtime, network};
  InstalledNode disk;
  bool hangs = false;
  std::unique_ptr<Kubelet> kubelet;
  std::unique_ptr<base::TaskGroup> tasks;

 private:
  static sim::firstboot::Membership common() {
    return {.serverUrl = "https://10.9.0.5:6443",
            .node = {.name = "edge-abc", .providerId = "metal3://x", .labels = {{"metal3.io/uuid", "u-1"}}}};
  }
};

}  // namespace

TEST_CASE("the first machine makes the cluster and is its Node") {
  Site site;
  site.boot(site.first());
  const auto& api = site.api;
  CHECK_THAT(api.text(std::string(kubeadmConfigPath), {"data", "ClusterConfiguration"}),
             Contains("kubernetesVersion: v1.36.3"));
  CHECK(authorityIn(api.objects.at(std::string(clusterInfoPath))) == api.authority.certificatePem());
  CHECK(api.text(node, {"spec", "providerID"}) == "metal3://x");
  CHECK(api.text(node, {"metadata", "labels", "metal3.io/uuid"}) == "u-1");
  CHECK(
      json::objectAt(api.objects.at(node), {"metadata", "labels"})->contains("node-role.kubernetes.io/control-plane"));
  CHECK(json::serialize(*json::find(api.objects.at(node), {"spec", "taints"})) ==
        R"([{"key":"node-role.kubernetes.io/control-plane","effect":"NoSchedule"}])");
  CHECK(api.text(node, {"status", "nodeInfo", "kubeletVersion"}) == "v1.36.3");
  CHECK(site.condition("status") == "True");
  CHECK(api.count("POST /api/v1/nodes by system:node:edge-abc") == 1);
  CHECK(api.count("PATCH " + node + " by kubernetes-super-admin") == 1);
}

TEST_CASE("a control plane shows its static Pods, ready") {
  Site site;
  site.boot(site.first());
  for (const auto component : controlPlaneComponents) {
    const auto path = pods + std::string(component) + "-edge-abc";
    INFO(path);
    CHECK(site.api.text(path, {"metadata", "annotations", "kubernetes.io/config.mirror"}) == component);
    CHECK(site.api.text(path, {"spec", "nodeName"}) == "edge-abc");
    CHECK(site.api.text(path, {"status", "phase"}) == "Running");
    CHECK(json::findPath(site.api.objects.at(path), "metadata.ownerReferences[0].uid")->as_string() ==
          site.api.text(node, {"metadata", "uid"}));
  }
}

TEST_CASE("an API without Pods and rights has its Node all the same") {
  Site site;
  site.api.refuse = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path().contains("/pods")) return net::HttpResponse{.status = 405};
    if (request.path().contains("/apis/rbac")) return net::HttpResponse{.status = 404};
    return std::nullopt;
  };
  site.boot(site.first());
  CHECK(site.condition("status") == "True");
}

TEST_CASE("a control plane that joins does not make the cluster anew") {
  Site site;
  site.initialized();
  site.boot(site.controlPlane());
  CHECK(site.api.count("configmaps by") == 0);
  CHECK(site.api.text(node, {"status", "nodeInfo", "kubeletVersion"}) == "v1.36.3");
  CHECK(site.api.count("POST /api/v1/namespaces/kube-system/pods") == 3);
}

TEST_CASE("a worker's token buys it a certificate once, and is told to no stranger") {
  Site site;
  site.initialized();
  site.boot(site.worker());
  CHECK(site.api.count("GET " + std::string(clusterInfoPath) + " by nobody, unverified") == 1);
  CHECK(site.api.count("POST /apis/certificates.k8s.io/v1/certificatesigningrequests by token abcdef.secret") == 1);
  CHECK(site.api.count("a token told to anyone") == 0);
  CHECK(site.api.count("POST /api/v1/nodes by bought") == 1);
  CHECK(site.api.count("/pods") == 0);
  CHECK_FALSE(json::objectAt(site.api.objects.at(node), {"metadata", "labels"})
                  ->contains("node-role.kubernetes.io/control-plane"));
  site.boot(site.worker());
  CHECK(site.api.count("by token") == 2);  // to ask, and to look once
}

TEST_CASE("a worker trusts no authority but the one that its data promises") {
  Site site;
  site.initialized();
  auto member = site.worker();
  member.discovery->caCertHashes = {"sha256:00"};
  site.boot(member);
  CHECK(site.api.count("by token") == 0);
  member.discovery->unverified = true;
  site.boot(member);
  CHECK(site.api.objects.contains(node));
}

TEST_CASE("a worker that comes before its control plane waits for it") {
  Site site;
  site.boot(site.worker());
  CHECK_FALSE(site.api.objects.contains(node));
  site.initialized();
  site.clock.advance(10s);
  CHECK(site.api.objects.contains(node));
}

TEST_CASE("a refused or unanswered request for a certificate is asked again") {
  Site site;
  site.initialized();
  site.api.signs = false;
  site.boot(site.worker());
  CHECK_FALSE(site.api.objects.contains(node));
  site.api.signs = true;
  site.clock.advance(2min);
  CHECK(site.api.objects.contains(node));
}

TEST_CASE("the Lease is renewed and Ready told again while the machine runs") {
  Site site;
  site.boot(site.first());
  const auto renewed = site.api.text(lease, {"spec", "renewTime"});
  const auto told = site.condition("lastHeartbeatTime"), since = site.condition("lastTransitionTime");
  CHECK(site.api.text(lease, {"spec", "holderIdentity"}) == "edge-abc");
  site.clock.advance(4s);
  CHECK(site.api.text(lease, {"spec", "renewTime"}) > renewed);
  CHECK(site.condition("lastHeartbeatTime") == told);
  site.clock.advance(10s);
  CHECK(site.condition("lastHeartbeatTime") > told);
  CHECK(site.condition("lastTransitionTime") == since);
}

TEST_CASE("a Node that others declared unknown is ready again, and their conditions stay") {
  Site site;
  site.boot(site.first());
  json::makeObjectAt(site.api.objects.at(node), {"status"})["conditions"] =
      json::Array{json::Object{{"type", "Ready"}, {"status", "Unknown"}, {"lastTransitionTime", "then"}},
                  json::Object{{"type", "NetworkUnavailable"}, {"status", "False"}}};
  site.clock.advance(12s);
  CHECK(site.condition("status") == "True");
  CHECK(site.condition("lastTransitionTime") != "then");
  CHECK_THAT(json::serialize(site.api.objects.at(node)), Contains("NetworkUnavailable"));
}

TEST_CASE("without power the machine is silent, and deletes nothing") {
  Site site;
  site.boot(site.first());
  const auto objects = site.api.objects;
  const auto asked = site.api.requests.size();
  site.off();
  site.clock.advance(5min);
  CHECK(site.api.requests.size() == asked);
  CHECK(site.api.objects == objects);
  CHECK(site.api.count("DELETE") == 0);
}

TEST_CASE("a machine that hangs is silent, and speaks when it no longer does") {
  Site site;
  site.boot(site.first());
  site.hangs = true;
  site.clock.advance(3s);
  const auto asked = site.api.requests.size();
  site.clock.advance(1min);
  CHECK(site.api.requests.size() == asked);
  site.hangs = false;
  site.clock.advance(3s);
  CHECK(site.api.requests.size() > asked);
  site.hangs = true;
  site.boot(site.first());
  site.api.requests.clear();
  site.clock.advance(1min);
  CHECK(site.api.requests.empty());
}

TEST_CASE("a machine that hangs while it waits for its certificate does not become a Node") {
  Site site;
  site.initialized();
  site.api.signs = false;
  site.boot(site.worker());
  site.hangs = true;
  site.clock.advance(2s);
  const auto request = site.api.objects.lower_bound(requests);
  REQUIRE(request->first.starts_with(requests));
  const auto pair = site.api.authority.issue(net::ClientCertificate{.commonName = "bought"}, site.clock.wall());
  json::makeObjectAt(request->second, {"status"})["certificate"] = base::toBase64(pair.certificatePem);
  site.api.requests.clear();
  site.clock.advance(1min);
  CHECK(site.api.requests.empty());
  CHECK_FALSE(site.api.objects.contains(node));
}

TEST_CASE("a hang ends where it began") {
  Site site;
  site.initialized();
  site.api.refuse = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() == clusterInfoPath) site.hangs = true;
    return std::nullopt;
  };
  site.boot(site.worker());
  site.clock.advance(1min);
  CHECK(site.api.count(" by ") == 1);
  site.api.refuse = nullptr;
  site.hangs = false;
  site.clock.advance(3s);
  CHECK(site.api.objects.contains(node));
  CHECK(site.api.count("GET " + std::string(clusterInfoPath)) == 1);
}

TEST_CASE("static Pods that others declared not ready are ready again, and those that are gone are shown anew") {
  Site site;
  site.boot(site.first());
  const auto scheduler = pods + "kube-scheduler-edge-abc", server = pods + "kube-apiserver-edge-abc";
  json::makeObjectAt(site.api.objects.at(scheduler), {"status"})["conditions"] =
      json::Array{json::Object{{"type", "Ready"}, {"status", "False"}}};
  site.api.objects.erase(server);
  site.api.requests.clear();
  site.clock.advance(12s);
  CHECK(isReadyPod(site.api.objects.at(scheduler)));
  REQUIRE(site.api.objects.contains(server));
  CHECK(isReadyPod(site.api.objects.at(server)));
  site.api.requests.clear();
  site.clock.advance(1min);
  CHECK(site.api.count("POST") == 0);
  CHECK(site.api.count("PATCH " + pods) == 0);
}

TEST_CASE("the next boot registers a Node that is gone, this one does not") {
  Site site;
  site.boot(site.first());
  site.api.objects.erase(node);
  site.api.objects.erase(lease);
  site.clock.advance(1min);
  CHECK_FALSE(site.api.objects.contains(node));
  CHECK_FALSE(site.api.objects.contains(lease));
  site.put(std::string(kubeadmConfigPath), kubeadmConfig(json::Object{{"kubernetesVersion", "v1.37.0"}}));
  site.boot(site.first());
  CHECK(site.api.text(node, {"spec", "providerID"}) == "metal3://x");
  CHECK(site.api.objects.contains(lease));
  CHECK_THAT(site.api.text(std::string(kubeadmConfigPath), {"data", "ClusterConfiguration"}), Contains("v1.37.0"));
}

TEST_CASE("a Node that is there keeps what others wrote into it") {
  Site site;
  site.boot(site.first());
  json::makeObjectAt(site.api.objects.at(node), {"spec"})["providerID"] = "metal3://y";
  site.boot(site.first());
  CHECK(site.api.text(node, {"spec", "providerID"}) == "metal3://y");
}

TEST_CASE("an API that is away or refuses is asked again") {
  Site site;
  site.api.away = true;
  site.boot(site.first());
  site.api.away = false;
  site.api.refuse = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method == "POST" && request.path() == "/api/v1/nodes") return net::HttpResponse{.status = 403};
    return std::nullopt;
  };
  site.clock.advance(1min);
  CHECK_FALSE(site.api.objects.contains(node));
  site.api.refuse = nullptr;
  site.clock.advance(6s);
  CHECK(site.api.objects.contains(node));
}
