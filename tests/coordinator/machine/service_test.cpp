// spec/capm3.md §8-§10 and §13, spec/cluster-api.md §1.5 against an API: how machines come into service.
#include "tests/coordinator/machine/site.hpp"

#include "api/bmh/names.hpp"
#include "api/capm3/names.hpp"
#include "kube/core/secret.hpp"
#include "kube/runtime/finalizer.hpp"

#include <fmt/ranges.h>

#include <catch2/catch.hpp>

#include <set>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

using Texts = std::vector<std::string>;

const std::string kData = "Metal3DataReady";

}  // namespace

TEST_CASE("§7.3, §8.3, cluster-api §1.5 a machine gets a host, and is provisioned once its Node is there",
          "[machine]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1");
  site.settle();
  const auto host = site.host("h1");
  CHECK(site.consumer("h1") == "m1");
  CHECK(host.spec.consumerRef->apiVersion == "infrastructure.cluster.x-k8s.io/v1beta2");
  CHECK(host.spec.image->url == "http://images/os.raw");
  CHECK(host.spec.userData == api::SecretReference{.name = "m1-boot", .namespace_ = "metal"});
  CHECK(host.spec.online);
  CHECK(host.metadata.labels.at("cluster.x-k8s.io/cluster-name") == "c1");
  CHECK(host.metadata.annotations.contains("clusterctl.cluster.x-k8s.io/block-move"));
  CHECK(site.find<kube::Secret>("h1-bmc")->metadata.labels.at("cluster.x-k8s.io/cluster-name") == "c1");
  auto machine = site.machine("m1");
  CHECK(kube::hasFinalizer(machine.metadata, api::capm3::finalizer::machine));
  CHECK(site.hostOf("m1") == "h1");
  CHECK(machine.status.addresses.size() == 3);
  CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith("True/AssociateBareMetalHostSuccess: host h"));
  CHECK(site.condition("m1", kMetaData) == "True/AssociateMetal3MachineMetaDataSuccess");
  CHECK(site.condition("m1", "Paused") == "False/NotPaused");
  CHECK(site.legacyCondition("m1", "AssociateBMH") == "True");

  site.state("h1", "provisioning");
  site.state("h1", "provisioned");
  CHECK_FALSE(site.isProvisioned("m1"));
  site.settle(15s);
  CHECK(site.condition("m1", kMetaData) ==
        "False/CreateError: failed to set ProviderID on Metal3Machine based on Node label: requeuing, could not find "
        "node with label: metal3.io/uuid=" +
            host.metadata.uid + ". Object will be requeued after 30s");
  site.join("h1", "n1");
  machine = site.machine("m1");
  CHECK(machine.spec.providerID == "metal3://metal/h1/m1");
  CHECK(machine.status.initialization.provisioned == true);
  CHECK(site.node("n1")->spec.providerId == "metal3://metal/h1/m1");
  CHECK(site.condition("m1", kData) == "True/SecretsSetExternally");
  CHECK(site.condition("m1", "Ready") == "True/Ready");
}

TEST_CASE(
    "a machine without a data template costs seven writes and two reads of its host, and none once it is in service",
    "[machine]") {
  MachineSite site;
  site.putInService("h1", "m1");
  CHECK(site.writesTo("/metal3machines/m1") == Texts{"PATCH", "PATCH/status", "PATCH", "PATCH/status"});
  CHECK(site.writesTo("/baremetalhosts/h1") == Texts{"PATCH", "PATCH"});
  CHECK(site.writesTo("/secrets/h1-bmc") == Texts{"PATCH"});
  CHECK(site.hostReads() == 2);  // before the claim, and before the host is told what to run
  const auto written = site.writes.size();
  const int passes = site.passes();
  site.patchStatus<BareMetalHost>("h1", R"({"status":{"lastUpdated":"2026-01-01T00:00:00Z"}})");
  site.settle(1h);
  CHECK(site.passes() == passes);
  site.restart();
  site.settle(1h);
  INFO(fmt::format("{}", fmt::join(site.writes, "\n")));
  CHECK(site.writes.size() == written);
}

TEST_CASE("§8.3 (6), (7) with a data template a host is claimed, and told what to run when the data are rendered",
          "[machine]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle();
  CHECK(site.consumer("h1") == "m1");
  CHECK_FALSE(site.host("h1").spec.image);
  const auto claim = site.find<Metal3DataClaim>("m1").value();
  CHECK(claim.metadata.finalizers == Texts{std::string(api::capm3::finalizer::machine)});  // there is no such template
  CHECK(claim.metadata.ownerReferences.at(0).name == "m1");
  CHECK(claim.spec.template_->namespace_ == "metal");
  site.settle(15s);
  CHECK(site.condition("m1", kData) == "False/WaitingForMetal3Data");
  CHECK(site.legacyCondition("m1", kData) == "False/WaitingForMetal3Data");
  SECTION("what keeps the data from being rendered is shown") {
    site.patchStatus<Metal3DataClaim>("m1", R"({"status":{"errorMessage":"pool prov does not exist"}})");
    site.settle();
    CHECK_THAT(site.condition("m1", kMetaData), Catch::Contains("pool prov does not exist"));
  }
  site.renderData("m1");
  CHECK(site.host("h1").spec.image->url == "http://images/os.raw");
  CHECK(site.host("h1").spec.metaData->name == "m1-metadata");
  CHECK(site.host("h1").spec.networkData->name == "m1-networkdata");
  CHECK(site.machine("m1").status.renderedData->name == "m1-data");
  CHECK(site.condition("m1", kData) == "True/Metal3DataSecretsReady");
}

TEST_CASE("§9.4 a machine without a host says why, and gets the next one that fits at once", "[machine]") {
  MachineSite site;
  site.addHost("h1", {}, "inspecting");
  site.addHost("h2", {{"rack", "b"}});
  site.addMachine("m1", [](Metal3Machine& machine) { machine.spec.hostSelector.emplace().matchLabels["rack"] = "a"; });
  site.settle();
  CHECK(
      site.condition("m1", kAssociate) ==
      "False/AssociateBareMetalHostFailed: failed to associate the Metal3Machine to a BareMetalHost: no available "
      "host found (2 hosts: 1 not available (inspecting), 1 without label rack=a). Object will be requeued after 30s");
  CHECK(site.legacyCondition("m1", "AssociateBMH") == "False/AssociateBMHFailed");
  CHECK(site.machine("m1").metadata.finalizers.empty());  // nothing to clean up
  site.patch<BareMetalHost>("h2", R"({"metadata":{"labels":{"rack":"a"}}})");
  site.settle(1s);
  CHECK(site.hostOf("m1") == "h2");
  CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith("True/AssociateBareMetalHostSuccess: host h"));
}

TEST_CASE("of many machines each gets a host of its own", "[machine]") {
  MachineSite site;
  for (int i = 0; i < 12; ++i) site.addHost(fmt::format("h{}", i));
  for (int i = 0; i < 14; ++i) site.addMachine(fmt::format("m{}", i));
  site.settle(20s);
  std::set<std::string> hosts;
  int without = 0;
  for (int i = 0; i < 14; ++i) {
    const std::string host = site.hostOf(fmt::format("m{}", i));
    if (host.empty()) {
      ++without;
      continue;
    }
    CHECK(site.consumer(host) == fmt::format("m{}", i));
    hosts.insert(host);
  }
  CHECK(hosts.size() == 12);
  CHECK(without == 2);
  for (int i = 0; i < 14; ++i) {
    const std::string name = fmt::format("m{}", i);
    if (site.hostOf(name).empty())
      CHECK_THAT(site.condition(name, kAssociate), Catch::Contains("(12 hosts: 12 in use)"));
  }
}

TEST_CASE("a host that somebody else claims meanwhile is his, and another one is taken", "[machine]") {
  MachineSite site;
  site.addHost("h1");
  site.addHost("h2");
  std::string stolen;
  const auto steal = [&](const net::ServerRequest& request, bool claimed) -> base::Task<void> {
    const std::string path(request.path());
    const bool looks = request.method == "GET" && path.find("/baremetalhosts/") != std::string::npos;
    if (!looks || !stolen.empty() || claimed == site.writesTo("/baremetalhosts/").empty()) co_return;
    stolen = path.substr(path.rfind('/') + 1);
    co_await site.patchMeanwhile<BareMetalHost>(
        stolen, R"({"spec":{"consumerRef":{"kind":"Metal3Machine","namespace":"metal","name":"rival",)"
                R"("apiVersion":"infrastructure.cluster.x-k8s.io/v1beta1"}}})");
  };
  bool afterTheClaim = false;
  SECTION("before it is claimed") {}
  SECTION("after it was claimed, without regard for versions") { afterTheClaim = true; }
  site.meanwhile = [&](const net::ServerRequest& request) { return steal(request, afterTheClaim); };
  site.addMachine("m1");
  site.settle(5s);
  CHECK(site.told("HostTaken") == (afterTheClaim ? 1 : 0));
  REQUIRE_FALSE(stolen.empty());
  CHECK(site.consumer(stolen) == "rival");
  CHECK_FALSE(site.host(stolen).spec.image);
  CHECK(site.hostOf("m1") == (stolen == "h1" ? "h2" : "h1"));
  CHECK(site.consumer(site.hostOf("m1")) == "m1");
}

TEST_CASE("§8.2 (2), (5), (6), §8.3 (3) what must be there first is waited for and named", "[machine]") {
  MachineSite site;
  site.addHost("h1");
  SECTION("the owner reference") {
    site.addMachine("m1", [](Metal3Machine& machine) { machine.metadata.ownerReferences.clear(); });
    site.settle(70s);
    CHECK_THAT(site.condition("m1", kAssociate),
               Catch::StartsWith("False/WaitingForMetal3MachineOwnerRef: Waiting for"));
    CHECK(site.legacyCondition("m1", "AssociateBMH") == "False/WaitingForM3MachineOwnerRef");
    const std::string uid = site.find<Machine>("m1")->metadata.uid;
    site.patch<Metal3Machine>(
        "m1", fmt::format(R"({{"metadata":{{"ownerReferences":[{{"apiVersion":"cluster.x-k8s.io/v1beta2",)"
                          R"("kind":"Machine","name":"m1","uid":"{}"}}]}}}})",
                          uid));
  }
  SECTION("the infrastructure") {
    site.patchStatus<Cluster>("c1", R"({"status":{"initialization":null}})");
    site.settle();
    site.addMachine("m1");
    site.settle(70s);
    CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith("False/WaitingForClusterInfrastructureReady"));
    CHECK(site.legacyCondition("m1", "AssociateBMH") == "False/WaitingForClusterInfrastructure");
    site.patchStatus<Cluster>("c1",
                              R"({"status":{"deprecated":{"v1beta1":{"conditions":[{"type":"InfrastructureReady",)"
                              R"("status":"True","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}}})");
  }
  SECTION("the Metal3Cluster") {
    site.remove<Metal3Cluster>("c1");
    site.settle();
    site.addMachine("m1");
    site.settle(70s);
    CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith("False/WaitingforMetal3Cluster: Waiting for"));
    Metal3Cluster metal;
    metal.metadata = {.name = "c1", .namespace_ = "metal"};
    metal.metadata.labels["cluster.x-k8s.io/cluster-name"] = "c1";
    metal.spec.controlPlaneEndpoint = {.host = "192.0.2.10", .port = 6443};
    site.create(metal);
  }
  SECTION("the bootstrap data") {
    site.kill();
    site.addMachine("m1");
    site.patchStatus<Machine>("m1", R"({"status":{"initialization":null}})");
    site.start();
    site.settle(70s);
    CHECK(site.hostOf("m1").empty());
    CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith("False/WaitingForBootstrapData: Waiting for"));
    CHECK(site.legacyCondition("m1", "AssociateBMH") == "False/WaitingForBootstrapReady");
    site.patchStatus<Machine>("m1", R"({"status":{"initialization":{"bootstrapDataSecretCreated":true}}})");
  }
  site.settle();
  CHECK(site.hostOf("m1") == "h1");
}

TEST_CASE("§13.2 (3) a Node that cannot be the machine's is told", "[machine]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1");
  site.settle();
  SECTION("one of another provider") {
    site.join("h1", "n1", "aws:///zone/i-1");
    site.state("h1", "provisioned");
    CHECK_THAT(site.condition("m1", kMetaData),
               Catch::StartsWith("False/CreateError: ") &&
                   Catch::Contains("node using unsupported providerID format: n1 has aws:"));
  }
  SECTION("two of one host") {
    site.join("h1", "n1");
    site.join("h1", "n2");
    site.state("h1", "provisioned");
    CHECK_THAT(site.condition("m1", kMetaData),
               Catch::Contains("found multiple target nodes with the same label") && Catch::Contains("(n1, n2)"));
  }
  SECTION("a cluster that does not answer") {
    site.workload.reachable = false;
    site.state("h1", "provisioned");
    site.settle(2min);
    CHECK_THAT(site.condition("m1", kMetaData),
               Catch::StartsWith("False/CreateError: ") &&
                   Catch::Contains("the Nodes of the workload cluster are not known: https://c1.test:6443 does not "
                                   "answer: "));
    site.workload.reachable = true;
    site.join("h1", "n1");
    site.settle(2min);
    CHECK(site.isProvisioned("m1"));
    return;
  }
  CHECK_FALSE(site.isProvisioned("m1"));
}

TEST_CASE("§13.2 (3) a Node that has its providerID already is taken as it is", "[machine]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1");
  site.settle();
  site.join("h1", "n1", "metal3://metal/h1/m1");
  site.state("h1", "provisioned");
  CHECK(site.isProvisioned("m1"));
}

TEST_CASE("a host that is gone under its machine, or that somebody has taken, is named and not replaced", "[machine]") {
  MachineSite site;
  site.putInService("h1", "m1");
  site.addHost("h2");
  SECTION("deleted") {
    site.remove<BareMetalHost>("h1");
    site.settle();
    CHECK_THAT(site.condition("m1", kMetaData), Catch::Contains("BareMetalHost not found for machine m1"));
    site.remove<kube::Secret>("h1-bmc");
    site.addHost("h1");  // as new
    site.settle(2min);
    CHECK_THAT(site.condition("m1", kMetaData), Catch::Contains("host h1 has no consumer any more"));
    CHECK(site.consumer("h1").empty());
    CHECK_FALSE(site.host("h1").spec.image);
  }
  SECTION("taken") {
    site.patch<BareMetalHost>("h1", R"({"spec":{"consumerRef":{"name":"other"}}})");
    site.settle();
    site.patch<Metal3Machine>("m1", R"({"metadata":{"labels":{"a":"b"}}})");
    site.settle();
    CHECK_THAT(site.condition("m1", kMetaData), Catch::Contains("host h1 is used by Metal3Machine metal/other"));
    CHECK(site.consumer("h1") == "other");
  }
  CHECK(site.hostOf("m1") == "h1");
  CHECK(site.consumer("h2").empty());
}

TEST_CASE("§6.3 with --watch-filter only machines with its label are looked at", "[machine]") {
  MachineSite site;
  site.watchFilter = "blue";
  site.restart();
  site.addHost("h1");
  site.addMachine("m1");
  site.settle();
  CHECK(site.consumer("h1").empty());
  site.addMachine("m2",
                  [](Metal3Machine& machine) { machine.metadata.labels["cluster.x-k8s.io/watch-filter"] = "blue"; });
  site.settle();
  CHECK(site.consumer("h1") == "m2");
}

TEST_CASE("a machine that has a providerID takes no second host, whatever became of its status", "[machine]") {
  MachineSite site;
  site.addHost("h2");
  site.addMachine("m1", [](Metal3Machine& machine) {
    machine.spec.providerID = "metal3://metal/h1/m1";
    machine.metadata.annotations[std::string(api::capm3::annotation::host)] = "metal/h1";
  });
  site.settle(2min);
  CHECK(site.consumer("h2").empty());
  CHECK(site.hostOf("m1") == "h1");
  CHECK_THAT(site.condition("m1", kMetaData), Catch::Contains("BareMetalHost not found for machine m1"));
}
