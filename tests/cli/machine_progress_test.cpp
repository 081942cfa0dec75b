// Why a machine is not further.
#include "base/file.hpp"
#include "cli/show/machine_description.hpp"
#include "cli/show/tree.hpp"
#include "cli/show/why_text.hpp"
#include "tests/cli/machines.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::cli;
using Catch::Contains;
using cli::tests::host;
using cli::tests::HostBuilder;
using cli::tests::machine;
using cli::tests::noon;

namespace {

constexpr const char* kHost = "AssociateBareMetalHost";
constexpr const char* kRest = "AssociateMetal3MachineMetaData";

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
      {"cluster",
       machine("m").condition(kHost, "False", "WaitingForClusterInfrastructureReady", "its Cluster is not ready"),
       "its cluster", "its Cluster is not ready", "status.initialization.infrastructureProvisioned of the Cluster"},
      {"no host",
       machine("m").condition(kHost, "False", "AssociateBareMetalHostFailed",
                              "no available host found (2 hosts: 1 in use, 1 marked unhealthy)"),
       "a host", "2 hosts: 1 in use", "ingotctl retry host"},
      {"claim refused",
       machine("m").condition(kHost, "False", "AssociateBareMetalHostFailed", "the claim of host h1 was refused: no"),
       "its host", "the claim of host h1 was refused: no", "ingotctl retry machine m"},
      {"a reason of tomorrow", machine("m").condition(kHost, "False", "Moonphase", ""), "its host", "Moonphase", ""},
      {"data", machine("m").condition(kHost, "True").condition("Metal3DataReady", "False", "WaitingForMetal3Data"),
       "its data", "WaitingForMetal3Data", "renders the Secrets"},
      {"host gone", machine("m").associated().link("node07"), "host node07", "BareMetalHost node07 is not there",
       "delete the Machine"},
      {"provisioning", machine("m").associated().on(host("provisioning")), "host node01", "provisioning, power on",
       "ingotctl describe host node01"},
      {"provisioned by somebody else", machine("m").associated().on(host("provisioned").usedBy("x")).node("n"),
       "its host", "host node01 is used by Metal3Machine metal3/x", "delete the Machine"},
      {"claimed, and not told what to run",
       machine("m").associated().on(host("available")).condition(kRest, "False", "CreateError", "webhook denied it"),
       "host node01 to be told what to run", "webhook denied it", "ingotctl retry machine m"},
      {"linked, and not claimed", machine("m").associated().onFree(host("available")), "host node01",
       "does not name the machine as its consumer", "describe host"},
      {"switched off", machine("m").associated().on(host("provisioned").online(false).powered(false)).node("n"),
       "host node01 to be on", "spec.online: false", "ingotctl power on node01"},
      {"off against its will", machine("m").associated().on(host("provisioned").powered(false)).node("n"),
       "host node01 to be on", "power is off", "describe host node01"},
      {"Node not ready",
       machine("m").associated().on(host("provisioned")).node("n").told("NodeHealthy", "Unknown", "kubelet is silent"),
       "its Node to be healthy", "kubelet is silent", "MachineHealthCheck"},
      {"to be replaced",
       machine("m")
           .associated()
           .on(host("provisioned"))
           .node("n")
           .told("NodeHealthy", "False", "x")
           .told("OwnerRemediated", "False", "waits for its owner"),
       "its replacement", "waits for its owner", "replaces"},
      {"host not read",
       [] {
         auto m = machine("m").associated().link("node07");
         m.picture.unread = {"BareMetalHost"};
         return m;
       }(),
       "host node07", "cannot be read", "describe host"},
      {"broken",
       machine("m").associated().on(host("provisioned").failed("power management error", "no answer")).node("n"),
       "host node01", "power management error: no answer", "describe host"},
      {"no Node", machine("m").associated().on(host("provisioned")), "its Node", "no Node of the workload cluster",
       "kubelet"},
      {"Node not named", machine("m").associated().on(host("provisioned")).provisioned().phase("Provisioned"),
       "its Machine to name its Node", "status.nodeRef of Machine m is empty", "Cluster API's core manager"},
      {"Node not named, and not provisioned", machine("m").associated().on(host("provisioned")).id().phase("Pending"),
       "its Node", "no Node with providerID metal3://metal3/node01/m", "kubelet"},
      {"restarted", machine("m").associated().on(host("provisioned")).node("n").remediated("Waiting", 1),
       "its remediation", "Metal3Remediation m: Waiting, attempt 2", "MachineHealthCheck"},
      {"given up", machine("m").associated().on(host("provisioned")).node("n").remediated("Deleting machine", 1),
       "its remediation", "Deleting machine", "replaces it"},
      {"failed", machine("m").associated().on(host("provisioned")).node("n").remediated("Failed", 1), "its remediation",
       "Metal3Remediation m: Failed", "ingotctl retry machine m"},
      {"failed, for it is to be off",
       machine("m").associated().on(host("provisioned").online(false).powered(false)).node("n").remediated("Failed", 1),
       "host node01 to be on", "spec.online: false", "ingotctl power on node01"},
      {"leaving, held by others", machine("m").finalizer("example.com/backup").deleted(), "its deletion",
       "held by finalizers: example.com/backup", "finalizers"},
      {"leaving", machine("m").associated().on(host("deprovisioning")).deleted(), "its deletion",
       "host node01: deprovisioning", "describe host node01"},
      {"leaving, and paused",
       machine("m").on(host("provisioned")).condition("Paused", "True", "Paused", "Cluster c is paused").deleted(),
       "the end of its pause", "Cluster c is paused", "spec.paused"},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    const auto found = obstacleOf(row.machine, noon);
    REQUIRE(found);
    CHECK(found->waitsFor == row.waitsFor);
    CHECK_THAT(fmt::format("{}", fmt::join(found->facts, "; ")), Contains(row.fact));
    CHECK_THAT(found->next, Contains(row.next));
  }
  const auto ready = machine("m").associated().on(host("provisioned")).node("n");
  CHECK_FALSE(obstacleOf(ready, noon));
  CHECK_FALSE(
      obstacleOf(cli::tests::MachineBuilder(ready).told("NodeHealthy", "True", "").told("Ready", "True", ""), noon));
}

TEST_CASE("where nobody looks after its Machine, a provisioned machine is ready without nodeRef", "[cli][why]") {
  const auto alone = machine("m").associated().on(host("provisioned")).condition(kRest, "True").provisioned();
  CHECK_FALSE(obstacleOf(alone, noon));
  CHECK_THAT(whyMachine(alone, noon), Catch::StartsWith("machine m: ready, providerID metal3://metal3/node01/m\n"));
  const auto failing = machine("m")
                           .associated()
                           .on(host("provisioned"))
                           .condition(kRest, "False", "UpdateError", "the Node has another providerID")
                           .provisioned();
  REQUIRE(obstacleOf(failing, noon));
  CHECK(obstacleOf(failing, noon)->facts.front() == "the Node has another providerID");
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
  auto waiting = machine("m").condition(kHost, "False", "AssociateBareMetalHostFailed",
                                        "failed to associate the Metal3Machine to a BareMetalHost: no available host "
                                        "found (1 host: 1 in use). Object will "
                                        "be requeued after 30s");
  waiting.picture.machine.status.lastUpdated = noon - std::chrono::minutes(2);
  CHECK(whyMachine(waiting, noon) ==
        "machine m: waits for a host, for 3m\n"
        "  no available host found (1 host: 1 in use)\n"
        "  unchanged for: 2m\n"
        "  next: the first host that fits is taken at once: see ingotctl get hosts, and spec.hostSelector of the "
        "machine\n");
  CHECK(whyMachine(machine("m").associated().on(host("provisioned")).node("edge-0"), noon) ==
        "machine m: ready, Node edge-0\n"
        "  its host was decided 3m ago: Because\n"
        "  host node01: provisioned\n"
        "  host node01: power on, as it should be on\n");
  auto failing = host("provisioning").failed("provisioning error", "404 for the image", 3);
  failing.host.status.lastUpdated = noon - std::chrono::seconds(40);
  failing.host.status.operationHistory.provision.start = noon - std::chrono::seconds(90);
  CHECK(whyHost(failing, noon) ==
        "host node01: provisioning, power on\n"
        "  provisioning error (failed 3 times in a row): 404 for the image\n"
        "  the image is being deployed, for 90s\n"
        "  since: 90s ago\n"
        "  unchanged for: 40s\n"
        "  next: mend what the error names; ingotctl retry host node01 has it tried at once\n");
  CHECK(whyHost(host("provisioned"), noon) ==
        "host node01: provisioned, power on\n  next: nothing: it is what it should be\n");
}

TEST_CASE("a long error of a host is told once", "[cli][why]") {
  const std::string error = "Ironic says: " + std::string(900, 'x');
  const auto timesIn = [&error](const std::string& text) {
    std::size_t times = 0;
    for (auto at = text.find(error); at != std::string::npos; at = text.find(error, at + 1)) ++times;
    return times;
  };
  const auto broken = host("provisioning").failed("provisioning error", error, 3);
  CHECK(timesIn(whyHost(broken, noon)) == 1);
  CHECK(timesIn(whyMachine(machine("m").associated().on(broken), noon)) == 1);
  CHECK(timesIn(whyMachine(machine("m").on(broken), noon)) <= 1);
  const auto off = host("provisioned").failed("power management error", error).powered(false);
  CHECK(timesIn(whyMachine(machine("m").associated().on(off).node("n"), noon)) == 1);
  const auto leaving = host("deprovisioning").failed("provisioning error", error);
  CHECK(timesIn(whyMachine(machine("m").associated().on(leaving).deleted(), noon)) == 1);
  CHECK(timesIn(whyMachine(
            machine("m")
                .associated()
                .on(leaving)
                .condition("AssociateMetal3MachineMetaData", "False", "Deleting",
                           "deprovisioning BareMetalHost, requeuing: node01 is deprovisioning (" + error + ")")
                .deleted(),
            noon)) == 1);
  ClusterPicture edge;
  edge.cluster.metadata.name = "edge";
  edge.machines = {machine("m").associated().on(broken)};
  CHECK(timesIn(clusterTree(edge, noon)) == 1);
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
  CHECK(describeMachine(m, std::vector{event}, noon) ==
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

TEST_CASE("of a machine that is ready, why tells who decided on its host and since when that holds", "[cli][why]") {
  auto well = host("provisioned").condition("PowerStateKnown", "True", noon - std::chrono::minutes(50));
  well.host.status.operationHistory.provision.end = noon - std::chrono::hours(2);
  const auto on = [&](const HostBuilder& itsHost, const std::string& message) {
    auto m = machine("m").condition(kHost, "True", "AssociateBareMetalHostSuccess", message).onFree(itsHost).node("n");
    m.picture.machine.status.lastUpdated = noon - std::chrono::minutes(1);
    return whyMachine(m, noon);
  };
  const std::string first = "machine m: ready, Node n\n  its host was decided 3m ago: ",
                    last = "  unchanged for: 60s\n";
  CHECK(on(HostBuilder(well).usedBy("m"), "host node01: it fits best of 4") ==
        first +
            "host node01: it fits best of 4\n"
            "  host node01: provisioned, finished 120m ago\n"
            "  host node01: power on, as it should be on; it could be read for the last 50m\n" +
            last);
  auto dark = host("provisioned").condition("PowerStateKnown", "Unknown", noon - std::chrono::minutes(2));
  CHECK_THAT(on(dark.usedBy("m"), ""),
             Contains(first + "AssociateBareMetalHostSuccess\n") &&
                 Contains("  host node01: power not known for 2m (it was on); should be on\n"));
  auto none = machine("m").condition(kHost, "True").link("node01").node("n");
  none.picture.unread = {"BareMetalHost"};
  CHECK(whyMachine(none, noon) == first + "Because\n");
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
  edge.machines = {cp, machine("w-0").label(set, "workers").associated().on(broken),
                   machine("w-1")
                       .label(set, "workers")
                       .condition(kHost, "False", "AssociateBareMetalHostFailed", "no available host found (no host)")};
  CHECK(clusterTree(edge, noon) ==
        "Cluster edge: Provisioned\n"
        "├─ Metal3Cluster edge: ready, 192.0.2.10:6443\n"
        "├─ KubeadmControlPlane edge: 1 of 1 ready\n"
        "│  └─ machine cp-0: ready, Node cp-0\n"
        "│     ├─ host node01: provisioned, power on\n"
        "│     └─ address 192.0.2.20 (pool p)\n"
        "├─ MachineDeployment workers: 0 of 2 ready\n"
        "│  ├─ machine w-0: waits for host node02\n"
        "│  │  └─ host node02: provisioning, power on  ! provisioning error: 404\n"
        "│  └─ machine w-1: waits for a host, for 3m  ! no available host found (no host)\n"
        "└─ MachineDeployment spare: no machine yet  ! scaling up\n");
}

TEST_CASE("the tree marks what is not ready, counts what should be there, shows what is not Ingot's", "[cli][tree]") {
  ClusterPicture c;
  c.cluster.metadata.name = "edge";
  c.cluster.status.phase = "Provisioning";
  c.cluster.spec.controlPlaneRef = {"controlplane.cluster.x-k8s.io", "KubeadmControlPlane", "edge"};
  c.cluster.spec.infrastructureRef = {"infrastructure.cluster.x-k8s.io", "Metal3Cluster", "edge"};
  c.owners = {
      {"KubeadmControlPlane", "edge", "", 3}, {"MachineDeployment", "none", "", 0}, {"MachineDeployment", "w", "", 1}};
  const auto ready = [](const std::string& name) {
    return machine(name).associated().on(host("provisioned")).node(name);
  };
  c.machines = {ready("cp-0").label("cluster.x-k8s.io/control-plane", "")};
  api::capi::Machine bare;
  bare.metadata.name = "w-0";
  bare.metadata.labels["cluster.x-k8s.io/deployment-name"] = "w";
  bare.spec.infrastructureRef = {"infrastructure.cluster.x-k8s.io", "Metal3Machine", "w-0"};
  c.bare = {bare};
  const std::string top =
      "├─ KubeadmControlPlane edge: 1 of 3 ready  ! 2 more to come, and nothing says why\n"
      "│  └─ machine cp-0: ready, Node cp-0\n"
      "│     └─ host node01: provisioned, power on\n"
      "├─ MachineDeployment none: no machine wanted\n"
      "└─ MachineDeployment w: 0 of 1 ready\n"
      "   └─ machine w-0: waits for its Metal3Machine  ! Metal3Machine w-0 is not there\n";
  CHECK(clusterTree(c, noon) ==
        "Cluster edge: Provisioning\n"
        "├─ Metal3Cluster edge: not there  ! there is no Metal3Cluster edge\n" +
            top);
  c.infrastructure.emplace().metadata.name = "edge";
  CHECK_THAT(clusterTree(c, noon), Contains("Metal3Cluster edge: not ready  ! nothing says why"));
  c.infrastructure.reset();
  c.unread = {"Metal3Cluster"};
  CHECK_THAT(clusterTree(c, noon), Contains("Metal3Cluster edge: not read  ! it cannot be read"));
  c.cluster.spec.infrastructureRef.kind = "DockerCluster";
  CHECK_THAT(clusterTree(c, noon), Contains("├─ DockerCluster edge: of another provider\n"));
  c.cluster.status.conditions = {{.type = "Available", .status = "False", .message = "repeats what is below"},
                                 {.type = "TopologyReconciled", .status = "False", .message = "no class"}};
  CHECK_THAT(clusterTree(c, noon), Catch::StartsWith("Cluster edge: Provisioning  ! no class\n"));
  c.owners = {{"KubeadmControlPlane", "edge", "", 1}};
  c.bare.clear();
  c.cluster.status.conditions.pop_back();
  CHECK_THAT(clusterTree(c, noon), Catch::StartsWith("Cluster edge: Provisioning  ! repeats what is below\n"));
}

TEST_CASE("the guide shows what is printed", "[cli][tree]") {
  ClusterPicture edge;
  edge.cluster.metadata.name = "edge";
  edge.cluster.status.phase = "Provisioned";
  edge.cluster.spec.controlPlaneRef = {"controlplane.cluster.x-k8s.io", "KubeadmControlPlane", "edge"};
  edge.infrastructure.emplace().metadata.name = "edge";
  edge.infrastructure->spec.controlPlaneEndpoint = {.host = "192.0.2.10", .port = 6443};
  edge.infrastructure->status.initialization.provisioned = true;
  edge.owners = {{"KubeadmControlPlane", "edge", "", 1}, {"MachineDeployment", "workers", "", 1}};
  auto first = host("provisioned");
  first.host.metadata.name = "node-0";
  auto cp = machine("edge-vltfs").label("cluster.x-k8s.io/control-plane", "").associated().on(first).node("edge-vltfs");
  cp.picture.data.emplace().metadata.name = "t-0";
  edge.addresses["t-0"] = {"192.0.2.20 (pool provisioning)"};
  auto worker = machine("workers-x7k2p")
                    .label("cluster.x-k8s.io/deployment-name", "workers")
                    .condition(kHost, "False", "AssociateBareMetalHostFailed",
                               "no available host found (12 hosts: 7 in use, 5 without label rack=a)");
  worker.picture.machine.status.lastUpdated = noon - std::chrono::seconds(12);
  edge.machines = {cp, worker};
  std::string shown;
  for (const auto& [command, text] : {std::pair("tree cluster edge", clusterTree(edge, noon)),
                                      std::pair("why machine workers-x7k2p", whyMachine(worker, noon))})
    shown += fmt::format("$ ingotctl {}\n{}", command, text);
  std::string indented;
  for (std::size_t at = 0, end = 0; (end = shown.find('\n', at)) != std::string::npos; at = end + 1)
    indented += "    " + shown.substr(at, end + 1 - at);
  CHECK_THAT(base::readFile(std::string(INGOT_SOURCE_DIR) + "/docs/guide/ingotctl.md"), Contains(indented));
}

TEST_CASE("a host of somebody else is not shown as the machine's", "[cli][tree]") {
  const auto m = machine("m").associated().on(host("provisioned").usedBy("x")).node("n");
  ClusterPicture c;
  c.machines = {m};
  CHECK_THAT(clusterTree(c, noon), Contains("! host node01 is used by Metal3Machine metal3/x") && !Contains("─ host"));
  CHECK_THAT(describeMachine(m, std::nullopt, noon),
             Contains("Host:          node01 (host node01 is used by") && Contains("Events:        not known"));
}
