// Why a machine is not further, and what to write for a new attempt.
#include "cli/decide/retry_plan.hpp"
#include "cli/show/machine_description.hpp"
#include "cli/show/tree.hpp"
#include "cli/show/why_text.hpp"
#include "tests/cli/machines.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::cli;
using Catch::Contains;
using cli::tests::host;
using cli::tests::machine;
using cli::tests::noon;

namespace {

constexpr const char* kHost = "AssociateBareMetalHost";

}  // namespace

TEST_CASE("the first thing that a machine lacks is told, with its reason and what helps", "[cli][why]") {
  struct Row {
    std::string name;
    cli::tests::MachineBuilder machine;
    std::string waitsFor, fact, next;
  };
  const Row rows[] = {
      {"new", machine("m"), "the coordinator", "nobody has looked at it yet", "is the coordinator running"},
      {"paused",
       machine("m").condition(kHost, "False", "X").condition("Paused", "True", "Paused", "Cluster c is paused"),
       "the end of its pause", "Cluster c is paused", "spec.paused"},
      {"bootstrap", machine("m").condition(kHost, "False", "WaitingForBootstrapData", "Waiting"), "bootstrap data",
       "Waiting", "dataSecretName"},
      {"no host",
       machine("m").condition(kHost, "False", "AssociateBareMetalHostFailed", "2 hosts: 1 in use, 1 marked unhealthy"),
       "a host", "2 hosts: 1 in use", "ingotctl retry host"},
      {"a reason of tomorrow", machine("m").condition(kHost, "False", "Moonphase", ""), "its host", "Moonphase", ""},
      {"data", machine("m").condition(kHost, "True").condition("Metal3DataReady", "False", "WaitingForMetal3Data"),
       "its data", "WaitingForMetal3Data", "renders the Secrets"},
      {"host gone", machine("m").associated().link("node07"), "host node07", "BareMetalHost node07 is not there",
       "delete the Machine"},
      {"provisioning", machine("m").associated().on(host("provisioning")), "host node01", "provisioning, power on",
       "ingotctl describe host node01"},
      {"broken",
       machine("m").associated().on(host("provisioned").failed("power management error", "no answer")).node("n"),
       "host node01", "power management error: no answer", "describe host"},
      {"no Node", machine("m").associated().on(host("provisioned")), "its Node", "no Node of the workload cluster",
       "kubelet"},
      {"restarted", machine("m").associated().on(host("provisioned")).node("n").remediated("Waiting", 1),
       "its remediation", "Metal3Remediation m: Waiting, attempt 2", "MachineHealthCheck"},
      {"given up", machine("m").associated().on(host("provisioned")).node("n").remediated("Deleting machine", 1),
       "its remediation", "Deleting machine", "replaces it"},
      {"leaving", machine("m").associated().on(host("deprovisioning")).deleted(), "its deletion",
       "host node01: deprovisioning", "deprovisioned first"},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    const auto found = obstacleOf(row.machine, noon);
    REQUIRE(found);
    CHECK(found->waitsFor == row.waitsFor);
    CHECK_THAT(fmt::format("{}", fmt::join(found->facts, "; ")), Contains(row.fact));
    CHECK_THAT(found->next, Contains(row.next));
  }
  CHECK_FALSE(obstacleOf(machine("m").associated().on(host("provisioned")).node("n"), noon));
}

TEST_CASE("data that cannot be made say why", "[cli][why]") {
  auto m = machine("m").condition(kHost, "True").condition("Metal3DataReady", "False", "WaitingForMetal3Data");
  CHECK_THAT(whyMachine(m, noon), Contains("its Metal3DataClaim is not there yet"));
  m.picture.claim.emplace().metadata.name = "m";
  m.picture.claim->status.errorMessage = "Metal3DataTemplate t is not there";
  m.picture.data.emplace().metadata.name = "t-0";
  m.picture.data->status.errorMessage = "IPPool p is not there";
  CHECK_THAT(whyMachine(m, noon), Contains("Metal3DataClaim m: Metal3DataTemplate t is not there") &&
                                      Contains("Metal3Data t-0: IPPool p is not there"));
}

TEST_CASE("why says where it stands, the facts and their age, and the next step", "[cli][why]") {
  auto waiting = machine("m").condition(kHost, "False", "AssociateBareMetalHostFailed", "1 host: 1 in use");
  waiting.picture.machine.status.lastUpdated = noon - std::chrono::minutes(2);
  CHECK(whyMachine(waiting, noon) ==
        "machine m: waits for a host, for 3m\n"
        "  1 host: 1 in use\n"
        "  as of: 2m ago\n"
        "  next: the first host that fits is taken at once: see ingotctl get hosts, and spec.hostSelector of the "
        "machine\n");
  CHECK(whyMachine(machine("m").associated().on(host("provisioned")).node("edge-0"), noon) ==
        "machine m: ready, Node edge-0\n");
  auto failing = host("provisioning").failed("provisioning error", "404 for the image", 3);
  failing.host.status.lastUpdated = noon - std::chrono::seconds(40);
  CHECK(whyHost(failing, noon) ==
        "host node01: provisioning, power on; provisioning error: 404 for the image\n"
        "  provisioning error (failed 3 times in a row): 404 for the image\n"
        "  the image is being deployed\n"
        "  as of: 40s ago\n");
  CHECK(whyHost(host("provisioned"), noon) ==
        "host node01: provisioned, power on\n  next: nothing: it is what it should be\n");
}

TEST_CASE("a machine described in full", "[cli][describe]") {
  auto m = machine("m").label("cluster.x-k8s.io/cluster-name", "edge").associated().on(host("provisioning"));
  m.picture.owner->status.phase = "Provisioning";
  m.picture.machine.spec.image.url = "http://images/a";
  m.picture.machine.status.userData.emplace().name = "m-bootstrap";
  kube::Event event;
  event.reason = "HostChosen";
  event.message = "host node01";
  event.lastTimestamp = noon - std::chrono::minutes(4);
  CHECK(describeMachine(m, {event}, noon) ==
        "Name:          m\n"
        "Namespace:     metal3\n"
        "Age:           5m\n"
        "State:         waits for host node01\n"
        "Cluster:       edge\n"
        "Machine:       m (Provisioning)\n"
        "Host:          node01 (provisioning, power on)\n"
        "Image:         http://images/a\n"
        "User data:     Secret m-bootstrap\n"
        "\n"
        "Waiting for:\n"
        "  provisioning, power on\n"
        "  the image is being deployed\n"
        "  next: see ingotctl describe host node01\n"
        "\n"
        "Conditions:\n"
        "  TYPE                     STATUS   REASON    SINCE   MESSAGE\n"
        "  AssociateBareMetalHost   True     Because   3m      -\n"
        "  Metal3DataReady          True     Because   3m      -\n"
        "\n"
        "Events:\n"
        "  AGE   TYPE   REASON       COUNT   MESSAGE\n"
        "  4m    -      HostChosen   1       host node01\n");
}

TEST_CASE("the tree of a cluster tells the first thing on each branch that is not ready", "[cli][tree]") {
  ClusterPicture edge;
  edge.cluster.metadata.name = "edge";
  edge.cluster.status.phase = "Provisioned";
  edge.cluster.spec.controlPlaneRef = {"controlplane.cluster.x-k8s.io", "KubeadmControlPlane", "edge"};
  edge.infrastructure.emplace().metadata.name = "edge";
  edge.infrastructure->spec.controlPlaneEndpoint = {.host = "192.0.2.10", .port = 6443};
  edge.infrastructure->status.initialization.provisioned = true;
  edge.owners = {{"KubeadmControlPlane", "edge", ""},
                 {"MachineDeployment", "workers", "told by its machines"},
                 {"MachineDeployment", "spare", "scaling up"}};
  auto cp =
      machine("cp-0").label("cluster.x-k8s.io/control-plane", "").associated().on(host("provisioned")).node("cp-0");
  cp.picture.data.emplace().metadata.name = "t-0";
  edge.addresses["t-0"] = {"192.0.2.20 (pool p)"};
  const std::string set = "cluster.x-k8s.io/deployment-name";
  auto broken = host("provisioning").failed("provisioning error", "404");
  broken.host.metadata.name = "node02";
  edge.machines = {
      cp, machine("w-0").label(set, "workers").associated().on(broken),
      machine("w-1").label(set, "workers").condition(kHost, "False", "AssociateBareMetalHostFailed", "no host")};
  CHECK(clusterTree(edge, noon) ==
        "Cluster edge: Provisioned\n"
        "├─ Metal3Cluster edge: ready, 192.0.2.10:6443\n"
        "├─ KubeadmControlPlane edge: 1 of 1 ready\n"
        "│  └─ machine cp-0: ready, Node cp-0\n"
        "│     ├─ host node01: provisioned, power on\n"
        "│     └─ address 192.0.2.20 (pool p)\n"
        "├─ MachineDeployment workers: 0 of 2 ready\n"
        "│  ├─ machine w-0: waits for host node02\n"
        "│  │  └─ host node02: provisioning, power on; provisioning error: 404  ! provisioning error: 404\n"
        "│  └─ machine w-1: waits for a host, for 3m  ! no host\n"
        "└─ MachineDeployment spare: no machine yet  ! scaling up\n");
}

TEST_CASE("a retry takes off what blocks, and changes an annotation in any case", "[cli][retry]") {
  const auto plain = planRetry(host("available"), noon);
  CHECK(plain.status.empty());
  CHECK(json::serialize(plain.patch) ==
        R"({"metadata":{"annotations":{"ingot.dev/retry-requested":"2026-01-01T12:00:00Z"}}})");
  auto blocked = host("available").annotation("capm3.metal3.io/unhealthy", "x").annotation("capi.metal3.io/unhealthy");
  blocked.host.status.provisioningFailCount = 5;
  const auto plan = planRetry(blocked, noon);
  CHECK(json::serialize(plan.status) == R"({"status":{"provisioningFailCount":0}})");
  const json::Value patch(plan.patch);
  const auto& annotations = json::find(patch, {"metadata", "annotations"})->as_object();
  CHECK(annotations.at("capm3.metal3.io/unhealthy").is_null());
  CHECK(annotations.at("capi.metal3.io/unhealthy").is_null());
  CHECK(plan.said == "tried anew, no longer marked unhealthy, 5 failed provisionings forgotten");
}
