// The commands against the embedded API.
#include "api/capm3/v1beta2/metal3_data.hpp"
#include "api/capm3/v1beta2/metal3_data_claim.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "api/ipam/ip_claim.hpp"
#include "base/sync.hpp"
#include "cli/apply/three_way.hpp"
#include "tests/cli/edge.hpp"
#include "tests/cli/world.hpp"

using namespace ingot;
using namespace ingot::cli::tests;
using Catch::Contains;

namespace {

const std::string configMap =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: default}\ndata: {a: \"1\", b: \"2\"}\n";

}  // namespace

TEST_CASE("apply creates, changes, removes what it had applied, and says when nothing changed", "[cli][apply]") {
  World w;
  const auto file = w.file("c.yaml", configMap);
  CHECK(w.run({"apply", "-f", file}) == 0);
  CHECK(w.terminal.printed == "configmap/c created\n");
  CHECK(w.run({"apply", "-f", file}) == 0);
  CHECK(w.terminal.printed == "configmap/c unchanged\n");
  w.file("c.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: default}\ndata: {a: \"9\"}\n");
  CHECK(w.run({"apply", "-f", file}) == 0);
  CHECK(w.terminal.printed == "configmap/c configured\n");
  const kube::Resource configMaps{.version = "v1", .kind = "ConfigMap", .plural = "configmaps"};
  const auto live = w.loop.run(w.client().api().get(configMaps, {"default", "c"}));
  CHECK(json::serialize(*json::find(*live, {"data"})) == R"({"a":"9"})");
}

TEST_CASE("a Secret written with stringData is unchanged the second time", "[cli][apply]") {
  World w;
  const auto file = w.file(
      "s.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: default}\nstringData: {password: x}\n");
  CHECK(w.run({"apply", "-f", file}) == 0);
  CHECK(w.run({"apply", "-f", file}) == 0);
  CHECK(w.terminal.printed == "secret/s unchanged\n");
}

TEST_CASE("apply reads standard input, fills the namespace in and refuses another one than -n", "[cli][apply]") {
  World w;
  w.terminal.input = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n";
  CHECK(w.run({"apply", "-f", "-", "-n", "default"}) == 0);
  w.terminal.input = configMap;
  CHECK(w.run({"apply", "-f", "-", "-n", "metal3"}) == 1);
  CHECK_THAT(w.terminal.errors,
             Contains("standard input:3: metadata.namespace: default is not the namespace given with -n"));
}

TEST_CASE("a bad document stops everything before anything is sent", "[cli][apply]") {
  World w;
  const auto file =
      w.file("c.yaml", configMap + "---\napiVersion: metal3.io/v1alpha1\nkind: BareMetalHosst\nmetadata: {name: a}\n");
  CHECK(w.run({"apply", "-f", file}) == 1);
  CHECK_THAT(w.terminal.errors, Contains("c.yaml:7: kind: the server does not know the kind BareMetalHosst") &&
                                    Contains("did you mean BareMetalHost?"));
  CHECK(w.terminal.printed.empty());
}

TEST_CASE("what the server refuses is told with file, line and field; the other documents are applied",
          "[cli][apply]") {
  World w;
  const auto file = w.file("h.yaml",
                           "apiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\nmetadata: {name: a, namespace: "
                           "default}\nspec:\n  onlin: true\n  online: true\n"
                           "---\napiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\nmetadata: {name: b, namespace: "
                           "default}\nspec:\n  online: \"yes\"\n"
                           "---\napiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\nmetadata: {name: c, namespace: "
                           "default}\nspec:\n  online: true\n  bmc:\n    address: foo://x\n    credentialsName: s\n"
                           "---\n" +
                               configMap);
  CHECK(w.run({"apply", "-f", file}) == 1);
  CHECK_THAT(w.terminal.errors, Contains("h.yaml:5: spec.onlin: unknown field; did you mean online?"));
  CHECK_THAT(w.terminal.errors, Contains("h.yaml:12: spec.online: ") && Contains("must be of type boolean"));
  CHECK_THAT(w.terminal.errors, Contains("h.yaml:20: spec.bmc.address: Unknown BMC type 'foo' for address foo://x"));
  CHECK(w.terminal.printed == "configmap/c created\n");
}

TEST_CASE("a dry run stores nothing", "[cli][apply]") {
  World w;
  const auto file = w.file("c.yaml", configMap);
  CHECK(w.run({"apply", "-f", file, "--dry-run"}) == 0);
  CHECK(w.terminal.printed == "configmap/c created (server dry run)\n");
  CHECK(w.run({"apply", "-f", file}) == 0);
  CHECK(w.terminal.printed == "configmap/c created\n");
}

TEST_CASE("get lists hosts in every form", "[cli][get]") {
  World w;
  CHECK(w.run({"get", "hosts"}) == 0);
  CHECK(w.terminal.notes == "no hosts found in namespace metal3; -A looks in all\n");
  w.hosts({"n1", "n2"});
  CHECK(w.run({"get", "hosts"}) == 0);
  CHECK_THAT(w.terminal.printed,
             Contains("NAME   STATE         STATUS   POWER") && Contains("n1     provisioned   OK       on"));
  CHECK(w.run({"get", "hosts", "n2", "-o", "name"}) == 0);
  CHECK(w.terminal.printed == "baremetalhost.metal3.io/n2\n");
  CHECK(w.run({"get", "hosts", "n1", "-o", "json"}) == 0);
  CHECK(json::textAt(json::parse(w.terminal.printed), {"metadata", "name"}) == "n1");
  CHECK(w.run({"get", "hosts", "-A", "-o", "yaml"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("kind: List"));
  CHECK(w.run({"get", "hosts", "n[2-3]"}) == 3);
  CHECK_THAT(w.terminal.errors, Contains("there is no host n3 in namespace metal3; did you mean n1?"));
  CHECK_THAT(w.terminal.printed, Contains("n2"));
}

TEST_CASE("get lists machines, clusters and addresses", "[cli][get]") {
  World w(World::Kinds::all);
  CHECK(w.run({"get", "machines"}) == 0);
  CHECK(w.terminal.notes == "no machines found in namespace metal3; -A looks in all\n");
  const auto file = w.file("machine.yaml", R"(apiVersion: v1
kind: Namespace
metadata: {name: metal3}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: Metal3Machine
metadata: {name: m1, namespace: metal3, annotations: {metal3.io/BareMetalHost: metal3/n1}}
spec: {image: {url: "http://images/a", checksum: "http://images/sums"}}
)");
  CHECK(w.run({"apply", "-f", file}) == 0);
  CHECK(w.run({"get", "m3m", "-A"}) == 0);
  CHECK_THAT(w.terminal.printed,
             Contains("NAMESPACE   NAME   CLUSTER   HOST") && Contains("metal3      m1     -         n1"));
  CHECK(w.run({"get", "machines", "m2"}) == 3);
  CHECK_THAT(w.terminal.errors, Contains("there is no machine m2 in namespace metal3; did you mean m1?"));
  CHECK(w.run({"get", "clusters"}) == 0);
  CHECK(w.run({"get", "addresses", "x"}) == 3);
  CHECK_THAT(w.terminal.errors, Contains("there is no address x in namespace metal3, nor any other address"));
}

TEST_CASE("a cluster, its machines and their hosts are explained", "[cli][tree]") {
  using namespace api::capm3::v1beta2;
  World w(World::Kinds::all);
  w.hosts({"n1"});
  const int applied = w.run({"apply", "-f", w.file("edge.yaml", edgeCluster)});
  INFO(w.terminal.errors);
  REQUIRE(applied == 0);
  w.loop.run(w.client().patchStatus<Metal3DataClaim>(
      {"metal3", "m1"}, json::Object{{"status", json::parse(R"({"renderedData":{"name":"t-0"}})")}}));
  api::ipam::IPClaim claim;
  claim.metadata = {.name = "t-0-p", .namespace_ = "metal3"};
  claim.metadata.ownerReferences = {{.apiVersion = Metal3Data::info.apiVersion(),
                                     .kind = "Metal3Data",
                                     .name = "t-0",
                                     .uid = w.loop.run(w.client().get<Metal3Data>({"metal3", "t-0"}))->metadata.uid}};
  claim.spec.pool.name = "p";
  w.loop.run(w.client().create(claim));
  w.loop.run(w.client().patchStatus<api::ipam::IPClaim>(
      {"metal3", "t-0-p"}, json::Object{{"status", json::parse(R"({"address":{"name":"p-192-0-2-20"}})")}}));
  CHECK(w.run({"tree", "cluster", "edge"}) == 0);
  CHECK(w.terminal.printed ==
        "Cluster edge: new\n"
        "├─ Metal3Cluster edge: not there  ! there is no Metal3Cluster edge\n"
        "├─ KubeadmControlPlane edge: no machine yet  ! it is not there\n"
        "└─ MachineDeployment workers: 0 of 1 ready\n"
        "   └─ machine m1: waits for the coordinator, for 0s  ! nobody has looked at it yet\n"
        "      ├─ host n1: provisioned, power on\n"
        "      └─ address 192.0.2.20 (pool p)\n");
  CHECK(w.run({"get", "addresses", "nope", "-A"}) == 3);
  CHECK(w.terminal.errors == "there is no address nope in any namespace; see ingotctl get addresses -A\n");
  CHECK(w.run({"tree", "cluster", "egde"}) == 3);
  CHECK_THAT(w.terminal.errors, Contains("there is no cluster egde in namespace metal3; did you mean edge?"));
  CHECK(w.run({"why", "machine", "m1", "m2"}) == 3);
  CHECK_THAT(w.terminal.printed, Contains("machine m1: waits for the coordinator"));
  CHECK_THAT(w.terminal.errors, Contains("there is no machine m2 in namespace metal3; did you mean m1?"));
  CHECK(w.run({"describe", "machine", "m1"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("Host:          n1 (provisioned, power on)") &&
                                     Contains("Data:          t-0, index 0, not ready"));
}

TEST_CASE("hosts are explained where the server knows no machines", "[cli][why]") {
  World w;
  w.hosts({"n1"});
  CHECK(w.run({"why", "host", "n1"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("host n1: provisioned, power on"));
  CHECK(w.run({"why", "machine", "m1"}) != 0);
  CHECK(w.run({"tree", "cluster", "c"}) != 0);
}

TEST_CASE("get says so where the server does not know machines", "[cli][get]") {
  World w;
  CHECK(w.run({"get", "machines"}) != 0);
  CHECK_THAT(w.terminal.errors, Contains("metal3machines"));
}

TEST_CASE("power goes through intent and says so", "[cli][power]") {
  World w;
  w.hosts({"n1", "n2"});
  CHECK(w.run({"power", "off", "n[1-2]"}) == 0);
  CHECK_FALSE(w.host("n1").spec.online);
  CHECK_FALSE(w.host("n2").spec.online);
  CHECK_THAT(w.terminal.printed,
             Contains("host n1: asked for power off through spec.online: false; the coordinator carries it out"));
  CHECK(w.run({"power", "reboot", "n1", "--hard"}) == 1);
  CHECK_THAT(w.terminal.errors, Contains("host n1: it should be off"));
  CHECK(w.run({"power", "on", "n1", "nope"}) == 3);
  CHECK(w.host("n1").spec.online);
  CHECK(w.run({"power", "reboot", "n1", "--hard"}) == 0);
  CHECK(w.host("n1").metadata.annotations.at("reboot.metal3.io") == R"({"mode":"hard"})");
  CHECK(w.run({"power", "status", "n[1-2]"}) == 0);
  CHECK_THAT(w.terminal.printed,
             Contains("n1     on      on       provisioned") && Contains("n2     on      off      provisioned"));
}

TEST_CASE("wait sees the change when it comes, and times out with where the host stands", "[cli][wait]") {
  World w;
  w.hosts({"n1"});
  CHECK(w.run({"wait", "n1", "--for", "power=on"}) == 0);
  CHECK(w.terminal.printed == "host n1 is powered on\n");
  CHECK(w.run({"wait", "n1", "--for", "power=off", "--timeout", "5s"}) == 4);
  CHECK(w.terminal.errors == "host n1 is not powered off after 5s: provisioned, power on\n");
  CHECK(w.run({"wait", "nope", "--for", "power=off"}) == 3);
  CHECK(w.run({"wait", "nope", "--for", "deleted"}) == 0);
  CHECK(w.run({"wait", "n1", "--for", "bliss"}) == 2);

  w.terminal.printed.clear();
  base::TaskGroup others(w.loop.runtime.executor, base::Log::silent());
  const auto later = [](World& world) -> base::Task<void> {
    co_await world.loop.clock.sleepFor(std::chrono::seconds(3));
    co_await world.client().patchStatus<api::BareMetalHost>({"metal3", "n1"},
                                                            json::parse(R"({"status":{"poweredOn":false}})"));
  };
  others.spawn("coordinator", later(w));
  CHECK(w.loop.run(w.start({"power", "off", "n1", "--wait"})) == 0);
  CHECK_THAT(w.terminal.printed, Contains("host n1 is powered off"));
  w.loop.run(others.close());
}

TEST_CASE("an inspection is asked for, and waited for", "[cli][inspect]") {
  World w;
  w.hosts({"n1"});
  CHECK(w.run({"inspect", "n1"}) == 0);
  CHECK(w.host("n1").metadata.annotations.contains("inspect.metal3.io"));
  CHECK_THAT(w.terminal.printed, Contains("asked for an inspection through annotation inspect.metal3.io"));
  CHECK(w.run({"inspect", "n1", "--wait", "--timeout", "5s"}) == 4);
  CHECK_THAT(w.terminal.errors, Contains("host n1 is not inspected after 5s"));
  CHECK(w.run({"inspect", "nope"}) == 3);
}

TEST_CASE("describe shows a host with its events", "[cli][describe]") {
  World w;
  w.hosts({"n1"});
  CHECK(w.run({"describe", "host", "n1"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("State:         provisioned (OK)") &&
                                     Contains("Power:         on, as it should be on") &&
                                     Contains("Events:        none"));
  CHECK(w.run({"describe", "host", "n7"}) == 3);
}

TEST_CASE("an agent is approved by its fingerprint and revoked", "[cli][agents]") {
  World w;
  CHECK(w.run({"agents", "approve", "rack7"}) == 3);
  api::ProvisioningAgent agent;
  agent.metadata.name = "rack7";
  agent.spec.publicKey = std::string(40, 'k');
  static_cast<void>(w.loop.run(w.client().create(agent)));
  CHECK(w.run({"agents", "approve", "rack7"}) == 4);
  CHECK_THAT(w.terminal.errors, Contains("no fingerprint yet"));
  static_cast<void>(w.loop.run(w.client().patchStatus<api::ProvisioningAgent>(
      {"", "rack7"}, json::parse(R"({"status":{"fingerprint":"ab:cd"}})"))));
  CHECK(w.run({"agents", "approve", "rack7", "--fingerprint", "ab:ce", "--all"}) == 1);
  CHECK(w.run({"agents", "approve", "rack7", "--fingerprint", "ab:cd"}) == 1);
  CHECK_FALSE(w.loop.run(w.client().get<api::ProvisioningAgent>({"", "rack7"}))->spec.approved);
  CHECK(w.run({"agents", "approve", "rack7", "--fingerprint", "AB:CD", "--all"}) == 0);
  CHECK(w.terminal.printed == "agent rack7: approved for all hosts (fingerprint ab:cd)\n");
  CHECK(w.loop.run(w.client().get<api::ProvisioningAgent>({"", "rack7"}))->spec.approved);
  CHECK(w.run({"get", "agents"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("rack7   true"));
  CHECK(w.run({"agents", "revoke", "rack7"}) == 0);
  CHECK_FALSE(w.loop.run(w.client().get<api::ProvisioningAgent>({"", "rack7"}))->spec.approved);
}

TEST_CASE("a server that is away, or a kubeconfig that is wrong, ends with 5 and what to do", "[cli][errors]") {
  World w;
  CHECK(w.run({"version"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("server   v1.36"));
  w.loopback.remove(World::origin);
  CHECK(w.run({"get", "hosts"}) == 5);
  CHECK_THAT(w.terminal.errors, Contains("if https://api.example:6443 is not the right server"));
  CHECK(w.run({"wait", "n1", "--for", "power=on"}) == 5);
  CHECK(w.run({"get", "hosts", "--kubeconfig", "/nowhere"}) == 5);
  CHECK(w.terminal.errors == "/nowhere: there is no such file\n");
  CHECK(w.run({"get", "hosts", "--context", "prod"}) == 5);
  CHECK_THAT(w.terminal.errors, Contains("there is no context named \"prod\""));
  CHECK(w.run({"version"}) == 5);
  CHECK_THAT(w.terminal.printed, Contains("client   "));
}

TEST_CASE("the examples are what Metal3 users write: admission and CRDs accept them", "[cli][examples]") {
  World w;
  const std::string examples = std::string(INGOT_SOURCE_DIR) + "/docs/examples";
  INFO(w.terminal.errors);
  CHECK(w.run({"apply", "-f", examples}) == 0);
  CHECK(w.terminal.errors.empty());
  const auto hosts = w.loop.run(w.client().list<api::BareMetalHost>({.namespace_ = "metal3"}));
  CHECK(hosts.size() == 4);
  const auto secretKeys = [&](const std::string& name) {
    return w.loop.run(w.client().get<kube::Secret>({"metal3", name}));
  };
  for (const auto& host : hosts) {
    CHECK(secretKeys(host.spec.bmc.credentialsName)->data.contains("password"));
    CHECK(secretKeys(host.spec.userData->name)->data.contains("userData"));
    CHECK(secretKeys(host.spec.metaData->name)->data.contains("metaData"));
    CHECK(secretKeys(host.spec.networkData->name)->data.contains("networkData"));
  }
}
