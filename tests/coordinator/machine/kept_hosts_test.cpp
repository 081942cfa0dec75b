// spec/capm3.md §11.2: hosts that are kept for an owner of machines who is gone (docs/decisions/0047).
#include "tests/coordinator/machine/site.hpp"

#include "kube/core/event.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

using api::capi::MachineSet;

const std::string kReuse = "infrastructure.cluster.x-k8s.io/node-reuse";
const std::string kOfCluster = R"({"spec":{"consumerRef":{"kind":"Cluster","apiVersion":"cluster.x-k8s.io/v1beta2",)"
                               R"("namespace":"metal","name":"c1"}}})";

// Of MachineDeployment "old", or another one.
void addSet(MachineSite& site, const std::string& deployment = "old") {
  MachineSet set;
  set.metadata = {.name = deployment + "-1", .namespace_ = "metal"};
  set.metadata.ownerReferences = {{.apiVersion = "cluster.x-k8s.io/v1beta2",
                                   .kind = "MachineDeployment",
                                   .name = deployment,
                                   .uid = deployment + "-uid"}};
  set.spec.clusterName = "c1";
  set.spec.template_.spec.clusterName = "c1";
  site.create(set);
}

void addKept(MachineSite& site, const std::string& name, const std::string& owner) {
  site.addHost(name, {{kReuse, owner}});
  site.patch<BareMetalHost>(name, kOfCluster);
}

std::string toldText(MachineSite& site) {
  for (const auto& event : site.all<kube::Event>())
    if (event.reason == "KeptForNobody") return event.message;
  return "";
}

}  // namespace

TEST_CASE("§11.2 a host that is kept for an owner who is gone is told of", "[machine][kept]") {
  MachineSite site;
  addSet(site);
  addKept(site, "h1", "md-old");
  site.addMachine("stranger");
  site.settle(1h);
  CHECK(site.told("KeptForNobody") == 0);
  CHECK_THAT(site.condition("stranger", kAssociate), Catch::Contains("(1 host: 1 kept for md-old)"));
  site.remove<MachineSet>("old-1");
  site.settle(9min);
  CHECK(site.told("KeptForNobody") == 0);
  CHECK_THAT(site.condition("stranger", kAssociate),
             Catch::Contains("(1 host: 1 kept for md-old, of which there is nothing here)"));
  site.settle(2min);
  CHECK(site.told("KeptForNobody") == 1);
  CHECK(toldText(site) ==
        "Kept for md-old, of which there is nothing in this namespace: no machine gets the host. To free it, remove "
        "its label infrastructure.cluster.x-k8s.io/node-reuse and spec.consumerRef");
  site.settle(25min);
  CHECK(site.told("KeptForNobody") == 1);
  site.settle(24h);  // Events go after an hour
  CHECK(site.told("KeptForNobody") >= 2);
  CHECK(site.host("h1").metadata.labels.contains(kReuse));  // the owner may come back
  site.patch<BareMetalHost>(
      "h1", fmt::format(R"({{"metadata":{{"labels":{{"{}":null}}}},"spec":{{"consumerRef":null}}}})", kReuse));
  site.settle(1min);
  CHECK(site.hostOf("stranger") == "h1");
}

TEST_CASE("§11.2 an owner who comes back in time, or again, is waited for anew", "[machine][kept]") {
  MachineSite site;
  addKept(site, "h1", "md-old");
  site.settle(9min);
  addSet(site);
  site.settle(1h);
  CHECK(site.told("KeptForNobody") == 0);
  site.remove<MachineSet>("old-1");
  site.settle(9min);
  CHECK(site.told("KeptForNobody") == 0);
  site.settle(2min);
  CHECK(site.told("KeptForNobody") == 1);
}

TEST_CASE("§11.2 a control plane is there as long as a Cluster names it", "[machine][kept]") {
  MachineSite site;
  site.patch<Cluster>("c1", R"({"spec":{"controlPlaneRef":{"apiGroup":"controlplane.cluster.x-k8s.io",)"
                            R"("kind":"KubeadmControlPlane","name":"plane"}}})");
  addKept(site, "h1", "cp-plane");
  site.settle(1h);
  CHECK(site.told("KeptForNobody") == 0);
  site.remove<Cluster>("c1");
  site.settle(11min);
  CHECK(site.told("KeptForNobody") == 1);
  CHECK_THAT(toldText(site), Catch::StartsWith("Kept for cp-plane, "));
}

TEST_CASE("§9.3, §11.2 a machine without a host says of the owner of each kept one whether it is there by now",
          "[machine][kept]") {
  MachineSite site;
  std::string owner = "cp-plane";
  const auto setOwners = [](const std::string& version, const std::string& kind, const std::string& name) {
    return fmt::format(
        R"({{"metadata":{{"ownerReferences":[{{"apiVersion":"{}","kind":"{}","name":"{}","uid":"u"}}]}}}})", version,
        kind, name);
  };
  const std::string noOwners = R"({"metadata":{"ownerReferences":null}})";
  std::function<void()> come, go;
  SECTION("a Cluster names its control plane") {
    come = [&] {
      site.patch<Cluster>("c1", R"({"spec":{"controlPlaneRef":{"apiGroup":"controlplane.cluster.x-k8s.io",)"
                                R"("kind":"KubeadmControlPlane","name":"plane"}}})");
    };
  }
  SECTION("a Machine names its control plane") {
    site.addMachine("of-plane");
    come = [&] {
      site.patch<Machine>("of-plane",
                          setOwners("controlplane.cluster.x-k8s.io/v1beta2", "KubeadmControlPlane", "plane"));
    };
    go = [&] { site.patch<Machine>("of-plane", noOwners); };
  }
  SECTION("a MachineSet names its MachineDeployment") {
    owner = "md-old";
    addSet(site);
    site.patch<MachineSet>("old-1", noOwners);
    come = [&] { site.patch<MachineSet>("old-1", setOwners("cluster.x-k8s.io/v1beta2", "MachineDeployment", "old")); };
    go = [&] { site.patch<MachineSet>("old-1", noOwners); };
  }
  addKept(site, "h1", owner);
  site.addMachine("stranger");
  site.settle(6min);
  const std::string absent = fmt::format("(1 host: 1 kept for {}, of which there is nothing here)", owner);
  CHECK_THAT(site.condition("stranger", kAssociate), Catch::Contains(absent));
  come();
  site.settle(6min);
  CHECK_THAT(site.condition("stranger", kAssociate), Catch::Contains(fmt::format("(1 host: 1 kept for {})", owner)));
  if (!go) return;  // a Cluster does not give up its control plane
  go();
  site.settle(6min);
  CHECK_THAT(site.condition("stranger", kAssociate), Catch::Contains(absent));
}

TEST_CASE("§11.2 a host with a node-reuse label that somebody has a use for is not told of", "[machine][kept]") {
  MachineSite site;
  SECTION("kept by hand from all machines") { addKept(site, "h1", "reserved"); }
  SECTION("with something to run") {
    addKept(site, "h1", "md-old");
    site.patch<BareMetalHost>("h1", R"({"spec":{"image":{"url":"http://images/other.raw","checksum":"c"}}})");
  }
  SECTION("with another consumer") {
    addKept(site, "h1", "md-old");
    site.patch<BareMetalHost>("h1", R"({"spec":{"consumerRef":{"kind":"Lab","apiVersion":"example.com/v1"}}})");
  }
  SECTION("with a machine") {
    addKept(site, "h1", "md-old");
    site.patch<BareMetalHost>("h1", kRival);
  }
  SECTION("as long as nobody knows all MachineSets") {
    site.kill();
    site.unreadable.add("machinesets.cluster.x-k8s.io", {"metal", "old-1"});
    addKept(site, "h1", "md-old");
    site.start();
  }
  site.settle(1h);
  CHECK(site.told("KeptForNobody") == 0);
}

TEST_CASE("a Machine or MachineSet that comes or goes brings back no host that is kept for others", "[machine][kept]") {
  MachineSite site;
  for (int i = 0; i < 20; ++i) addKept(site, fmt::format("h{}", i), "cp-plane");
  site.settle(1min);
  const int before = site.passes("metal3machine-kept-hosts");
  for (int i = 0; i < 20; ++i) site.addMachine(fmt::format("m{}", i));
  addSet(site);
  site.settle(1min);
  for (int i = 0; i < 20; ++i) site.remove<Machine>(fmt::format("m{}", i));
  site.remove<MachineSet>("old-1");
  site.settle(1min);
  CHECK(site.passes("metal3machine-kept-hosts") == before);
}

TEST_CASE("§11.2 a host is told of once all MachineSets are known again", "[machine][kept]") {
  MachineSite site;
  site.kill();
  site.unreadable.add("machinesets.cluster.x-k8s.io", {"metal", "other-1"});
  addKept(site, "h1", "md-old");
  site.start();
  site.settle(1h);
  REQUIRE(site.told("KeptForNobody") == 0);
  addSet(site, "other");  // as it can be read again
  site.settle(1h);
  CHECK(site.told("KeptForNobody") > 0);
}
