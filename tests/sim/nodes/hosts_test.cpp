#include "sim/nodes/hosts.hpp"

#include "sim/kubelet/keys.hpp"
#include "sim/kubelet/kubeadm_objects.hpp"
#include "tests/sim/firstboot/user_data.hpp"
#include "tests/sim/kubelet/fake_api.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

const std::string hosts = "/apis/metal3.io/v1alpha1/namespaces/metal/baremetalhosts";
const std::string node = "/api/v1/nodes/edge-abc";

// One API is both the management cluster and the workload cluster.
struct Site : tests::Loop {
  Site() {
    api.objects[std::string(sim::kubelet::clusterInfoPath)] =
        sim::kubelet::clusterInfo("https://10.9.0.5:6443", api.authority.certificatePem());
    secret("user", "value", joinData());
    secret("meta", "metaData", "local-hostname: edge-abc\nlocal_hostname: edge-abc\naddress: 10.9.0.10\n");
    secret("network", "networkData",
           "links: [{id: eth0}]\nnetworks: [{id: net, link: eth0, ip_address: 10.9.0.10, gateway: 10.9.0.1}]\n");
  }
  ~Site() { stop(); }

  void start() {
    options.ns = "metal";
    options.onReady = [this] { ready = true; };
    machines = std::make_unique<sim::nodes::Hosts>(
        base::Runtime{runtime.executor, runtime.clock, runtime.random, base::Log(log, "sim")}, network, *tasks,
        sim::kubelet::Access{.serverUrl = "https://10.9.0.5:6443", .token = base::Secret("admin")}, options);
    tasks->spawn("hosts", machines->run());
    clock.advance(3s);
  }
  void stop() {
    run(tasks->close());
    machines.reset();
    tasks = std::make_unique<base::TaskGroup>(runtime.executor, runtime.log);
  }

  std::string joinData() {
    auto text = tests::joinData();
    const auto at = text.find("sha256:0123");
    return text.replace(at, 11, sim::kubelet::publicKeyHash(api.authority.certificatePem()));
  }
  void secret(const std::string& name, const std::string& key, const std::string& text) {
    api.objects["/api/v1/namespaces/metal/secrets/" + name] = json::Object{{"data", {{key, base::toBase64(text)}}}};
  }
  json::Value host(const std::string& state, bool on, json::Object annotations = {}) {
    return {
        {"metadata",
         {{"name", "host-0"}, {"namespace", "metal"}, {"uid", "u-1"}, {"annotations", std::move(annotations)}}},
        {"spec",
         {{"userData", {{"name", "user"}}}, {"metaData", {{"name", "meta"}}}, {"networkData", {{"name", "network"}}}}},
        {"status", {{"poweredOn", on}, {"provisioning", {{"state", state}}}}}};
  }
  void tell(const json::Value& host, const std::string& type = "MODIFIED") {
    api.objects[hosts + "/host-0"] = host;
    api.tell(type, host);
    clock.advance(3s);
  }
  // Requests of the machine in a while.
  long beats() {
    const auto before = api.count("by bought");
    clock.advance(10s);
    return api.count("by bought") - before;
  }

  std::shared_ptr<base::MemorySink> log = std::make_shared<base::MemorySink>();
  net::Loopback network{runtime};
  tests::FakeApi api{runtime, network};
  std::unique_ptr<base::TaskGroup> tasks = std::make_unique<base::TaskGroup>(runtime.executor, runtime.log);
  std::unique_ptr<sim::nodes::Hosts> machines;
  sim::nodes::HostsOptions options;
  bool ready = false;
};

}  // namespace

TEST_CASE("a host becomes a Node once it is provisioned and on") {
  Site site;
  site.start();
  CHECK(site.ready);
  site.tell(site.host("provisioning", true), "ADDED");
  site.tell(site.host("provisioned", false));
  CHECK_FALSE(site.api.objects.contains(node));
  site.tell(site.host("provisioned", true));
  REQUIRE(site.api.objects.contains(node));
  CHECK(site.api.text(node, {"status", "nodeInfo", "systemUUID"}) == "u-1");
  CHECK_THAT(json::serialize(*json::find(site.api.objects.at(node), {"status", "addresses"})), Contains("10.9.0.10"));
}

TEST_CASE("a host that is provisioned already is found at the start") {
  Site site;
  site.api.objects[hosts + "/host-0"] = site.host("provisioned", true);
  site.start();
  CHECK(site.api.objects.contains(node));
}

TEST_CASE("without power, deprovisioned or deleted a host's machine is silent") {
  for (const int how : {0, 1, 2}) {
    INFO(how);
    Site site;
    site.api.objects[hosts + "/host-0"] = site.host("provisioned", true);
    site.start();
    CHECK(site.beats() > 0);
    if (how == 0) site.tell(site.host("provisioned", false));
    if (how == 1) site.tell(site.host("deprovisioning", true));
    if (how == 2) site.tell(site.host("provisioned", true), "DELETED");
    CHECK(site.beats() == 0);
    CHECK(site.api.objects.contains(node));
  }
}

TEST_CASE("a host that was off registers its Node anew, with the identity that it has") {
  Site site;
  site.api.objects[hosts + "/host-0"] = site.host("provisioned", true);
  site.start();
  site.api.objects.erase(node);
  CHECK(site.beats() > 0);
  CHECK_FALSE(site.api.objects.contains(node));
  site.tell(site.host("provisioned", false));
  site.tell(site.host("provisioned", true));
  CHECK(site.api.objects.contains(node));
  CHECK(site.api.count("POST /apis/certificates.k8s.io") == 1);
}

TEST_CASE("an annotation makes a host's machine hang") {
  Site site;
  site.api.objects[hosts + "/host-0"] = site.host("provisioned", true);
  site.start();
  site.tell(site.host("provisioned", true, {{"sim.ingot.dev/fault", "os-hang"}}));
  CHECK(site.beats() == 0);
  site.tell(site.host("provisioned", true));
  CHECK(site.beats() > 0);
}

TEST_CASE("a machine whose addresses do not agree does not boot, and says why") {
  Site site;
  site.secret("meta", "metaData", "local-hostname: edge-abc\naddress: 10.9.0.11\n");
  site.api.objects[hosts + "/host-0"] = site.host("provisioned", true);
  site.start();
  CHECK_FALSE(site.api.objects.contains(node));
  CHECK(site.log->contains("the meta data names 10.9.0.11, and the network data gives it 10.9.0.10"));
  site.secret("meta", "metaData", "local-hostname: edge-abc\nlocal_hostname: edge-abc\n");
  site.clock.advance(10s);
  CHECK_FALSE(site.api.objects.contains(node));
  site.tell(site.host("deprovisioning", true));
  site.tell(site.host("provisioned", true));
  CHECK(site.api.objects.contains(node));
}

TEST_CASE("a missing Secret is named, and its machine boots when it is there") {
  Site site;
  site.api.objects.erase("/api/v1/namespaces/metal/secrets/user");
  site.api.objects[hosts + "/host-0"] = site.host("provisioned", true);
  site.start();
  CHECK(site.log->contains("the Secret metal/user is missing"));
  site.secret("user", "userData", site.joinData());
  site.clock.advance(10s);
  CHECK(site.api.objects.contains(node));
}

TEST_CASE("a machine that is provisioned anew is another one, though its user data is the same") {
  Site site;
  site.api.objects[hosts + "/host-0"] = site.host("provisioned", true);
  site.start();
  CHECK(site.api.count("POST /apis/certificates.k8s.io") == 1);
  for (const std::string before : {"deprovisioning", "provisioning"}) site.tell(site.host(before, true));
  site.secret("meta", "metaData", "local-hostname: edge-def\nlocal_hostname: edge-def\n");
  site.tell(site.host("provisioned", true));
  CHECK(site.api.count("POST /apis/certificates.k8s.io") == 2);
  CHECK(site.api.objects.contains("/api/v1/nodes/edge-def"));
}

TEST_CASE("other Secrets are another installation, also when nobody saw the host without an image") {
  Site site;
  site.api.objects[hosts + "/host-0"] = site.host("provisioned", true);
  site.start();
  site.secret("meta-2", "metaData", "local-hostname: edge-def\nlocal_hostname: edge-def\n");
  auto host = site.host("provisioned", true);
  json::makeObjectAt(host, {"spec", "metaData"})["name"] = "meta-2";
  site.tell(host);
  CHECK(site.api.count("POST /apis/certificates.k8s.io") == 2);
  CHECK(site.api.objects.contains("/api/v1/nodes/edge-def"));
}

TEST_CASE("what was written at provisioning stays, whatever becomes of the Secrets") {
  Site site;
  site.api.objects[hosts + "/host-0"] = site.host("provisioned", true);
  site.start();
  site.secret("meta", "metaData", "local-hostname: edge-def\n");
  site.api.objects.erase("/api/v1/namespaces/metal/secrets/user");
  site.tell(site.host("provisioned", false));
  site.api.objects.erase(node);
  site.tell(site.host("provisioned", true));
  CHECK(site.api.objects.contains(node));
  CHECK(site.api.count("POST /apis/certificates.k8s.io") == 1);
}

TEST_CASE("network data are those that the coordinator would give") {
  Site site;
  auto host = site.host("provisioned", true);
  SECTION("those of the ramdisk where there are no others") {
    json::makeObjectAt(host, {"spec"}).erase("networkData");
    json::makeObjectAt(host, {"spec"})["preprovisioningNetworkDataName"] = "network";
  }
  SECTION("none, from a Secret without them") { site.secret("network", "other", "x"); }
  const bool isEmpty = !json::find(host, {"spec", "preprovisioningNetworkDataName"});
  site.api.objects[hosts + "/host-0"] = host;
  site.start();
  REQUIRE(site.api.objects.contains(node));
  const auto addresses = json::serialize(*json::find(site.api.objects.at(node), {"status", "addresses"}));
  CHECK(addresses.contains("10.9.0.10") != isEmpty);
}

TEST_CASE("a Secret is asked for by its whole name") {
  Site site;
  auto host = site.host("provisioned", true);
  json::makeObjectAt(host, {"spec", "userData"})["name"] = "user?y";
  site.api.objects[hosts + "/host-0"] = host;
  site.start();
  CHECK(site.log->contains("the Secret metal/user?y is missing"));
  CHECK_FALSE(site.api.objects.contains(node));
}

TEST_CASE("a failure that repeats is told once") {
  Site site;
  site.api.refuse = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method == "GET" && request.path().contains("signingrequests")) return net::HttpResponse{.status = 500};
    return std::nullopt;
  };
  site.api.objects[hosts + "/host-0"] = site.host("provisioned", true);
  site.start();
  site.clock.advance(1min);
  CHECK(site.api.count("GET /apis/certificates.k8s.io") > 5);
  CHECK(std::ranges::count_if(site.log->lines(), [](const auto& line) { return line.contains("will try again"); }) ==
        1);
}

TEST_CASE("hosts are listed a page at a time, those of one Cluster if asked") {
  Site site;
  site.api.objects[hosts + "/a"] = site.host("available", false);
  site.api.objects[hosts + "/host-0"] = site.host("provisioned", true);
  site.options.pageSize = 1;
  site.options.cluster = "edge";
  site.start();
  CHECK(site.api.objects.contains(node));
  CHECK(site.api.count("GET " + hosts + "?limit=1&continue=%2F") == 1);
  CHECK(site.api.count("labelSelector=cluster.x-k8s.io%2Fcluster-name%3Dedge") == 3);  // two pages and a watch
}

TEST_CASE("a watch that ends is begun again, and what happened meanwhile is seen") {
  Site site;
  site.start();
  site.api.objects[hosts + "/host-0"] = site.host("provisioned", true);
  site.api.endWatches();
  site.clock.advance(3s);
  CHECK(site.api.objects.contains(node));
  site.api.objects.erase(hosts + "/host-0");
  site.api.endWatches();
  site.clock.advance(3s);
  CHECK(site.beats() == 0);
}

TEST_CASE("a watch that ends at once is not begun again at once") {
  Site site;
  site.api.briefWatches = 50;
  site.start();
  site.clock.advance(20s);
  const auto lists = site.api.count("GET " + hosts + "?limit");
  CHECK(lists > 5);
  CHECK(lists < 15);
}

TEST_CASE("what a worker bought outlives the simulator") {
  const tests::TemporaryFolder folder;
  std::filesystem::create_directory(folder.path());
  Site site;
  site.options.dataFolder = folder.path();
  site.api.objects[hosts + "/host-0"] = site.host("provisioned", true);
  site.start();
  site.stop();
  site.start();
  CHECK(site.beats() > 0);
  CHECK(site.api.count("POST /apis/certificates.k8s.io") == 1);
  site.secret("user", "value", site.joinData() + "# another installation\n");
  site.stop();
  site.start();
  CHECK(site.api.count("POST /apis/certificates.k8s.io") == 2);
  site.tell(site.host("deprovisioning", true));
  CHECK(std::filesystem::is_empty(folder.path()));
}
