// spec/capm3.md §13: which Node is a machine's.
#include "coordinator/machine/nodes.hpp"

#include "coordinator/machine/error.hpp"
#include "coordinator/machine/waiting.hpp"
#include "kube/core/secret.hpp"
#include "tests/coordinator/machine/site.hpp"
#include "tests/coordinator/workload/builders.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using coordinator::machine::MachineError;
using coordinator::machine::NodeWish;
using coordinator::machine::Problem;
using coordinator::workload::NodeView;

namespace {

using Nodes = std::vector<kube::Node>;

constexpr const char* kOwn = "metal3://metal/h1/m1";

kube::Node ofHost(kube::Node node) { return labelled(std::move(node), "metal3.io/uuid", "u1"); }
kube::Node onHostname(kube::Node node, std::string name = "h1-node") {
  return labelled(std::move(node), "kubernetes.io/hostname", std::move(name));
}

Metal3Machine machineOf(const std::string& link = "metal/h1") {
  Metal3Machine machine;
  machine.metadata = {.name = "m1", .namespace_ = "metal"};
  if (!link.empty()) machine.metadata.annotations["metal3.io/BareMetalHost"] = link;
  return machine;
}

Metal3Machine named() {
  auto machine = machineOf();
  machine.spec.providerID = kOwn;
  return machine;
}

Metal3Machine provisionedAs(const std::vector<std::string>& hostnames) {
  auto machine = named();
  machine.status.initialization.provisioned = true;
  for (const auto& name : hostnames) machine.status.addresses.push_back({.type = "Hostname", .address = name});
  machine.status.addresses.push_back({.type = "InternalIP", .address = "10.0.0.1"});
  return machine;
}

std::string wordOf(Problem problem) {
  static const std::map<Problem, std::string> words{
      {Problem::soon, "soon"}, {Problem::waiting, "waiting"}, {Problem::node, "node"}, {Problem::hostLink, "link"}};
  return words.at(problem);
}

// "metal3://…", "metal3://… to n1", "soon: what is missing".
std::string matched(const Nodes& nodes, NodeWish wish, const std::string& unreadable = "") {
  NodeView view;
  for (auto node : nodes) {
    node.metadata.uid = "uid of " + node.metadata.name;
    view.put(std::make_shared<const kube::Node>(std::move(node)));
  }
  if (!unreadable.empty()) view.putUndecoded(unreadable, "u");
  wish.hostUid = "u1";
  try {
    const auto match = matchNode(view, wish);
    return match.providerId + (match.toName ? " to " + match.toName->metadata.name : "");
  } catch (const MachineError& error) {
    return wordOf(error.problem()) + ": " + error.what();
  }
}

}  // namespace

TEST_CASE("§13.1 a providerID names the host of the machine's own namespace", "[machine][nodes]") {
  CHECK(coordinator::machine::providerIdOf(machineOf()) == kOwn);
  const auto asked = [](const std::string& link) { return matched({}, {.machine = machineOf(link)}); };
  const std::string refused = "link: unable to retrieve bmh name from metal3machine m1 using annotation: ";
  CHECK(asked("other/h1") == refused + "other/h1");
  CHECK(asked("h1") == refused + "h1");
  CHECK(asked("") == refused);
}

TEST_CASE("§13.2 (1) a machine with a providerID whose Node is there looks no further", "[machine][nodes]") {
  const auto machine = named();
  CHECK(matched({nodeNamed("n1", kOwn), ofHost(nodeNamed("n2"))}, {.machine = machine}) == kOwn);
  // An error here counts as no.
  CHECK(matched({nodeNamed("n1", kOwn), nodeNamed("n2", kOwn), ofHost(nodeNamed("n3"))}, {.machine = machine}) ==
        std::string(kOwn) + " to n3");
}

TEST_CASE("§13.2 (2), §13.3 with cloudProviderEnabled the Node is found by its providerID alone", "[machine][nodes]") {
  const auto machine = machineOf();
  const NodeWish wish{.machine = machine, .cloudProvider = true};
  CHECK(matched({nodeNamed("n1", kOwn)}, wish) == kOwn);
  CHECK(matched({ofHost(nodeNamed("n1"))}, wish) == "soon: error retrieving node, requeuing");
  CHECK(matched({nodeNamed("a", kOwn), nodeNamed("b", kOwn)}, wish) ==
        "node: providerID metal3://metal/h1/m1 is in use by multiple nodes: (a, b)");
  CHECK(matched({nodeNamed("n1", kOwn), nodeNamed("old", "metal3://metal/h1/m0")}, wish) ==
        "node: providerID (metal3://metal/h1/m1) cannot be used at the same time by node: (n1), old has "
        "(metal3://metal/h1/m0)");
  CHECK(matched({nodeNamed("n1", kOwn), nodeNamed("other", "metal3://metal/h10/m0")}, wish) == kOwn);
}

TEST_CASE("§13.2 (3) a Node is found by the label of its host", "[machine][nodes]") {
  const auto machine = machineOf();
  const NodeWish wish{.machine = machine};
  CHECK(matched({}, wish) == "soon: requeuing, could not find node with label: metal3.io/uuid=u1");
  CHECK(matched({}, wish, "odd") ==
        "soon: requeuing, could not find node with label: metal3.io/uuid=u1 (Nodes that cannot be read: odd)");
  CHECK(matched({ofHost(nodeNamed("n1"))}, wish) == std::string(kOwn) + " to n1");
  CHECK(matched({ofHost(nodeNamed("n1", kOwn))}, wish) == kOwn);
  CHECK(matched({ofHost(nodeNamed("n1", "aws:///i-1"))}, wish) ==
        "node: node using unsupported providerID format: n1 has aws:///i-1, not metal3://metal/h1/m1");
  CHECK(matched({ofHost(nodeNamed("n1", "metal3://metal/h1/m0"))}, wish) ==
        "node: node using unsupported providerID format: n1 has metal3://metal/h1/m0, not metal3://metal/h1/m1");
  CHECK(matched({ofHost(nodeNamed("n1")), ofHost(nodeNamed("n2"))}, wish) ==
        "node: found multiple target nodes with the same label: metal3.io/uuid=u1 (n1, n2)");
}

TEST_CASE("§13.2 (4)-(6) without a bootstrap provider no Node is needed, and one is found by its host name",
          "[machine][nodes]") {
  const auto early = machineOf();
  CHECK(matched({onHostname(nodeNamed("n1"))}, {.machine = early, .bootstrapped = false}) == kOwn);

  const auto machine = provisionedAs({"h1-node", "h1-alias"});
  const NodeWish wish{.machine = machine, .bootstrapped = false};
  const auto unnamed = provisionedAs({});
  CHECK(matched({}, {.machine = unnamed, .bootstrapped = false}) == "waiting: metal3Data Secret not ready");
  CHECK(matched({}, wish) == "soon: no Nodes found");
  CHECK(matched({nodeNamed("n1")}, wish) == "soon: no nodes matching hostnames: h1-alias, h1-node");
  CHECK(matched({onHostname(nodeNamed("n1")), onHostname(nodeNamed("n2"), "h1-alias")}, wish) ==
        "waiting: multiple nodes matching hostnames: h1-alias, h1-node");
  CHECK(matched({onHostname(nodeNamed("n1"))}, wish) == std::string(kOwn) + " to n1");
  CHECK(matched({onHostname(nodeNamed("n1", kOwn))}, wish) == kOwn);
  CHECK(matched({onHostname(nodeNamed("n1", "aws:///i-1"))}, wish) ==
        "node: node n1 has another providerID: aws:///i-1");
}

TEST_CASE("§13.2 (2) a cluster with a cloud provider gives its Nodes their providerIDs itself", "[machine][nodes]") {
  MachineSite site;
  site.patch<Metal3Cluster>("c1", R"({"spec":{"cloudProviderEnabled":true}})");
  site.addHost("h1");
  site.addMachine("m1");
  site.settle();
  site.state("h1", "provisioned");
  site.join("h1", "n1");
  site.settle(20s);
  CHECK_THAT(site.condition("m1", kMetaData),
             Catch::StartsWith("False/CreateError: failed to set ProviderID on Metal3Machine based on Cloud Provider "
                               "Node ProviderID: error retrieving node, requeuing"));
  CHECK(site.workload.writes.empty());
  site.workload.patch<kube::Node>({"", "n1"}, R"({"spec":{"providerID":"metal3://metal/h1/m1"}})");
  site.settle();
  CHECK(site.isProvisioned("m1"));
  CHECK(site.machine("m1").spec.providerID == kOwn);
  CHECK(site.workload.writes.empty());
}

TEST_CASE(
    "§13.2 (4)-(6) a machine with a bare dataSecretName is provisioned first, and its Node named by its host name",
    "[machine][nodes]") {
  MachineSite site;
  site.addHost("h1");
  site.ofProvider = false;
  site.addMachine("m1");
  site.settle();
  site.state("h1", "provisioned");
  CHECK(site.isProvisioned("m1"));
  CHECK(site.machine("m1").spec.providerID == kOwn);
  CHECK(site.workload.writes.empty());
  site.workload.create(onHostname(nodeNamed("stranger"), "elsewhere"));
  site.workload.create(onHostname(nodeNamed("n1")));
  site.settle(40s);
  CHECK(site.node("n1")->spec.providerId == kOwn);
  CHECK(site.node("stranger")->spec.providerId.empty());
  CHECK(site.workload.writes.size() == 1);
}

TEST_CASE("§13.2 (3), (5) a machine with a bare dataSecretName names the step at which it finds no Node",
          "[machine][nodes]") {
  const std::string byLabel = "False/CreateError: failed to set ProviderID on Metal3Machine based on Node label: ";
  MachineSite site;
  site.addHost("h1");
  site.ofProvider = false;
  site.addMachine("m1");
  site.settle();
  SECTION("several have the label of its host") {
    site.join("h1", "n1");
    site.join("h1", "n2");
    site.state("h1", "provisioned");
    CHECK_THAT(site.condition("m1", kMetaData),
               Catch::StartsWith(byLabel + "found multiple target nodes with the same label: "));
  }
  SECTION("the workload cluster cannot be asked") {
    site.remove<kube::Secret>("c1-kubeconfig");
    site.settle(5min);
    site.state("h1", "provisioned");
    site.settle(2min);
    CHECK_THAT(site.condition("m1", kMetaData),
               Catch::StartsWith(byLabel + "the Nodes of the workload cluster are not known: "));
  }
  SECTION("none has its host name") {
    site.state("h1", "provisioned");
    site.workload.create(onHostname(nodeNamed("stranger"), "elsewhere"));
    site.settle(2min);
    CHECK_THAT(site.condition("m1", kMetaData),
               Catch::StartsWith("False/UpdateError: unable to find Node by hostname, it may not be ready yet: "));
  }
}

TEST_CASE("a Cluster that goes during a pass of its machine is not connected to", "[machine][nodes]") {
  MachineSite site;
  site.addHost("h1");
  bool isGone = false;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    const bool isClaim = request.method == "PATCH" && request.path().ends_with("/baremetalhosts/h1");
    if (!isClaim || std::exchange(isGone, true)) co_return;
    co_await site.removeMeanwhile<Cluster>("c1");
  };
  site.addMachine("m1");
  site.settle();
  REQUIRE(isGone);
  site.reads.clear();
  site.settle(5min);
  CHECK(std::ranges::count_if(site.reads, [](const auto& path) { return path.ends_with("c1-kubeconfig"); }) == 0);
}

TEST_CASE("the host that a providerID names", "[machine][nodes]") {
  using coordinator::machine::hostNamedBy;
  CHECK(hostNamedBy("metal3://metal/h1/m1") == kube::ObjectKey{"metal", "h1"});
  for (const char* other : {"", "metal3://", "metal3://metal/h1", "metal3://metal/h1/m1/x", "aws:///zone/i-1"})
    CHECK_FALSE(hostNamedBy(other));
}

TEST_CASE("a Node that names its host concerns no other machine that waits", "[machine][nodes]") {
  coordinator::machine::Waiting waiting;
  const kube::ObjectKey cluster{"metal", "c1"};
  std::vector<kube::ObjectKey> all;
  for (const char* name : {"m1", "m2", "m3"}) {
    const std::string host = std::string("h") + (name + 1);
    all.push_back({"metal", name});
    waiting.forNode(all.back(), cluster, {.name = host, .namespace_ = "metal", .uid = "uid-" + host});
  }
  kube::Node node;
  CHECK_FALSE(waiting.namedBy(cluster, node));
  CHECK(waiting.of(cluster) == all);
  node.spec.providerId = "metal3://metal/h2/before";  // of an earlier machine on that host: it stands in m2's way
  CHECK(waiting.namedBy(cluster, node).value().machine == all[1]);
  node.spec.providerId = "metal3://metal/h9/m9";
  CHECK_FALSE(waiting.namedBy(cluster, node).value().machine);
  node.spec.providerId = "aws:///zone/i-1";
  CHECK_FALSE(waiting.namedBy(cluster, node));
  node.metadata.labels["metal3.io/uuid"] = "uid-h3";
  CHECK(waiting.namedBy(cluster, node).value().machine == all[2]);
  waiting.noMore(all[2]);
  CHECK_FALSE(waiting.namedBy(cluster, node).value().machine);
}
