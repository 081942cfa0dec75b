// What keeps data from being completed is told with its reason, and its end is noticed (spec/capm3.md §15, §16).
#include "kube/core/secret.hpp"
#include "tests/coordinator/data/site.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

std::string errorOf(DataSite& site, const std::string& data = "dt-0") {
  const auto found = site.find<Metal3Data>(data);
  return found ? found->status.errorMessage : "gone";
}

std::string claimError(DataSite& site, const std::string& claim = "m0") {
  return site.find<Metal3DataClaim>(claim)->status.errorMessage;
}

bool isQuietlyReady(DataSite& site) {
  site.settle();
  return site.isReady("dt-0") && errorOf(site).empty() && claimError(site).empty();
}

}  // namespace

TEST_CASE("claims may come before their template, which is missed after a while", "[data][hindrances]") {
  DataSite site;
  site.addMachine("m0");
  site.settle(10s);
  CHECK(claimError(site).empty());
  site.settle(10s);
  CHECK(claimError(site) == "Metal3DataTemplate dt does not exist");
  CHECK(site.told("TemplateMissing") == 1);
  site.settle(1h);
  CHECK(site.told("TemplateMissing") == 1);
  site.create(dataTemplate(kPlain));
  CHECK(isQuietlyReady(site));
}

TEST_CASE("§15.2.1 (3) a claim without a Metal3Machine gets nothing", "[data][hindrances]") {
  DataSite site;
  site.create(dataTemplate(kPlain));
  Metal3DataClaim claim;
  claim.metadata = {.name = "m0", .namespace_ = "metal"};
  claim.metadata.labels[kClusterLabel] = "c1";
  claim.spec.template_ = {.name = "dt", .namespace_ = "metal"};
  site.create(claim);
  site.settle(1min);
  CHECK(claimError(site) == "metal3Machine not found in owner references");
  CHECK(site.told("ClaimWithoutMachine") == 1);
  CHECK(site.names<Metal3Data>().empty());
  site.addHost("m0");
  const auto metal = site.create(metalMachine(site.create(machineNamed("m0"))));
  site.patch<Metal3DataClaim>(
      "m0", fmt::format(R"({{"metadata":{{"ownerReferences":[{{"apiVersion":"{}","kind":"Metal3Machine","name":"m0",)"
                        R"("uid":"{}"}}]}}}})",
                        Metal3Machine::info.apiVersion(), metal.metadata.uid));
  CHECK(isQuietlyReady(site));
}

TEST_CASE("a template that is being deleted gives nothing more", "[data][hindrances]") {
  DataSite site;
  site.create(dataTemplate(kPlain));
  site.addMachine("m0");
  site.settle();
  site.remove<Metal3DataTemplate>("dt");
  site.addMachine("m1");
  site.settle();
  CHECK(claimError(site, "m1") == "Metal3DataTemplate dt is being deleted");
  CHECK(site.told("TemplateLeaving") == 1);
  CHECK(site.names<Metal3Data>() == Texts{"dt-0"});
}

TEST_CASE("a pool that does not exist is named, and waited for", "[data][hindrances]") {
  DataSite site;
  site.create(dataTemplate(kWithPool));
  site.addMachine("m0");
  site.settle(1min);
  CHECK(errorOf(site) == "waiting for addresses of IPPool prov (there is no such IPPool)");
  CHECK(site.told("WaitingForAddresses") == 1);
  CHECK(site.names<kube::Secret>().empty());
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.10"));
  CHECK(isQuietlyReady(site));
}

TEST_CASE("§16.3 (3) a pool without a free address is told at once", "[data][hindrances]") {
  DataSite site;
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.10"));
  site.create(dataTemplate(kWithPool));
  site.addMachine("m0");
  site.settle();
  site.addMachine("m1");
  site.settle();
  CHECK(errorOf(site, "dt-1") == "IP Allocation for prov failed : Exhausted IP Pools");
  CHECK(site.told("AddressRefused") == 1);
  site.removeMachine("m0");
  site.settle(10s);
  site.patchStatus<IPClaim>("dt-1-prov", R"({"status":{"errorMessage":null}})");
  site.settle();
  CHECK(site.isReady("dt-1"));
  CHECK(site.breaches().empty());
}

TEST_CASE("the host is waited for in silence, and must be the machine's own", "[data][hindrances]") {
  DataSite site;
  site.create(dataTemplate(kWithPool));
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.10"));
  site.create(metalMachine(site.create(machineNamed("m0"))));
  site.addClaim("m0");
  site.settle(10min);
  CHECK(errorOf(site).empty());
  CHECK(site.names<IPClaim>().empty());
  site.addHost("m0");
  SECTION("it comes") { CHECK(isQuietlyReady(site)); }
  SECTION("it comes, and is another machine's") {
    site.kill();
    site.patch<BareMetalHost>("host-m0", R"({"spec":{"consumerRef":{"name":"m9"}}})");
    site.patchStatus<Metal3Data>("dt-0", R"({"status":null})");
    for (const char* secret : {"m0-metadata", "m0-networkdata"}) site.remove<kube::Secret>(secret);
    site.start();
    site.settle(1min);
    CHECK(errorOf(site) == "BareMetalHost host-m0 is not consumed by Metal3Machine m0");
    site.patch<BareMetalHost>("host-m0", R"({"spec":{"consumerRef":{"name":"m0"}}})");
    CHECK(isQuietlyReady(site));
  }
}

TEST_CASE("what cannot be rendered says why, and nothing is half written", "[data][hindrances]") {
  DataSite site;
  site.create(dataTemplate(R"({"metaData":{"namespaces":[{"key":"n"}]},"networkData":{"links":{"ethernets":[
      {"id":"e","type":"phy","mtu":1500,"macAddress":{"fromHostInterface":"nic7"}}]}}})"));
  site.addMachine("m0");
  site.settle(1min);
  CHECK(errorOf(site).ends_with("NIC name not found nic7"));
  CHECK(site.told("RenderFailed") == 1);
  CHECK(site.names<kube::Secret>().empty());
  site.reads.clear();
  site.settle(1h);
  CHECK(site.reads.size() <= 2);
  site.patchStatus<BareMetalHost>("host-m0",
                                  R"({"status":{"hardware":{"nics":[{"name":"nic7","mac":"00:11:22:33:44:77"}]}}})");
  CHECK(isQuietlyReady(site));
  CHECK(count({site.textOf("m0-networkdata", "networkData")}, "00:11:22:33:44:77") == 1);
}

TEST_CASE("§15.6 (3) data whose machine uses another template, or that belong to no Cluster, say so",
          "[data][hindrances]") {
  DataSite site;
  site.create(dataTemplate(kPlain));
  SECTION("another template") {
    site.kill();
    site.addMachine("m0");
    site.patch<Metal3Machine>("m0", R"({"spec":{"dataTemplate":{"name":"other"}}})");
    site.start();
    site.settle();
    CHECK(errorOf(site) == "metal3Machine associated with Metal3DataTemplate is not found");
    CHECK(site.told("TemplateNotUsed") == 1);
    CHECK_FALSE(site.isReady("dt-0"));
  }
  SECTION("no Cluster") {
    site.addHost("m0");
    auto metal = metalMachine(site.create(machineNamed("m0")));
    metal.metadata.labels.clear();
    site.create(metal);
    site.addClaim("m0");
    site.settle(1min);
    CHECK(errorOf(site) == "label cluster.x-k8s.io/cluster-name is missing");
    CHECK(site.told("NoCluster") == 1);
  }
}

TEST_CASE("a claim of another namespace's template is refused", "[data][hindrances]") {
  DataSite site;
  Metal3DataClaim claim;
  claim.metadata = {.name = "m0", .namespace_ = "metal"};
  claim.spec.template_ = {.name = "dt", .namespace_ = "elsewhere"};
  CHECK_THROWS_WITH(site.create(claim), Catch::Contains("spec.template.namespace"));
}

TEST_CASE("data that were made by hand say what they lack", "[data][hindrances]") {
  DataSite site;
  site.create(dataTemplate(kPlain));
  Metal3Data data;
  data.metadata = {.name = "dt-7", .namespace_ = "metal"};
  data.metadata.labels[kClusterLabel] = "c1";
  data.spec.index = 7;
  data.spec.template_ = {.name = "dt", .namespace_ = "metal"};
  data.spec.claim = {.name = "m7", .namespace_ = "metal"};
  std::string error, reason;
  SECTION("their claim") {
    error = "Metal3DataClaim m7 does not exist";
    reason = "ClaimMissing";
  }
  SECTION("a claim that they were made for") {
    site.addMachine("m7");
    site.addMachine("m8");
    data.metadata.ownerReferences = {kube::ownerReferenceTo(site.find<Metal3DataClaim>("m8").value(), true)};
    error = "Metal3DataClaim m7 is another one than these data are of";
    reason = "ClaimMissing";
  }
  SECTION("a claim's name") {
    data.spec.claim.reset();
    error = "Metal3DataClaim name not set";
    reason = "NoClaim";
  }
  SECTION("a template of their namespace") {
    data.spec.template_->namespace_ = "elsewhere";
    error = "spec.template names no Metal3DataTemplate of this namespace";
    reason = "NoTemplate";
  }
  site.create(data);
  site.settle(1min);
  CHECK(errorOf(site, "dt-7") == error);
  CHECK(site.told(reason) == 1);
  CHECK_FALSE(site.isReady("dt-7"));
}

TEST_CASE("an error does not stand beside a wait for something else", "[data][hindrances]") {
  DataSite site;
  site.kill();
  site.create(dataTemplate(kPlain));
  site.addMachine("m0");
  site.patch<BareMetalHost>("host-m0", R"({"spec":{"consumerRef":{"name":"m9"}}})");
  site.start();
  site.settle(1min);
  REQUIRE(errorOf(site) == "BareMetalHost host-m0 is not consumed by Metal3Machine m0");
  SECTION("that is shown at the machine") {
    site.remove<BareMetalHost>("host-m0");
    site.settle(3min);
    CHECK(errorOf(site).empty());
  }
  SECTION("that a person should know of later") {
    site.remove<Cluster>("c1");
    site.settle(5s);
    CHECK(errorOf(site).empty());
    site.settle(20s);
    CHECK(errorOf(site) == "Cluster c1 does not exist");
    CHECK(site.told("ClusterMissing") == 1);
  }
  SECTION("unless it is what stands there, also after a start") {
    site.restart();
    site.settle(1min);
    CHECK(site.told("HostNotOurs") == 1);
    CHECK_FALSE(errorOf(site).empty());
  }
}

TEST_CASE("a claim that is seen before its Cluster, which is paused, rests with it", "[data][pause]") {
  DataSite site;
  site.create(dataTemplate(kPlain));
  site.settle();
  site.kill();
  site.remove<Cluster>("c1");
  site.heldWatch = "/clusters";
  site.watchHeldFor = 10s;
  site.start();
  site.settle();
  site.writes.clear();
  site.create(clusterC1(true));
  site.addMachine("m0");
  site.settle();
  REQUIRE(count(site.reads, "/clusters/c1") == 1);
  site.settle(1min);
  CHECK(site.writes.empty());
  site.patch<Cluster>("c1", R"({"spec":{"paused":false}})");
  CHECK(isQuietlyReady(site));
}

TEST_CASE("§15.2, §15.5 whatever is paused rests, and goes on afterwards", "[data][pause]") {
  DataSite site;
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.11"));
  site.create(dataTemplate(kWithPool));
  site.settle();
  const std::string pause = R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":"true"}}})";
  const std::string resume = R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":null}}})";
  const int what = GENERATE(0, 1, 2);
  CAPTURE(what);
  const auto set = [&](bool paused) {
    if (what == 0) site.patch<Cluster>("c1", paused ? R"({"spec":{"paused":true}})" : R"({"spec":{"paused":false}})");
    if (what == 1) site.patch<Metal3DataTemplate>("dt", paused ? pause : resume);
    if (what == 2) site.patch<Metal3Machine>("m0", paused ? pause : resume);
    if (what == 2) site.patch<Metal3DataClaim>("m0", paused ? pause : resume);
  };
  if (what == 2) {
    site.kill();
    site.addMachine("m0");
    set(true);
    site.start();
  } else {
    set(true);
    site.settle();
    site.addMachine("m0");
  }
  site.settle();
  site.writes.clear();
  site.settle(10min);
  CHECK(site.writes.empty());
  CHECK(site.names<Metal3Data>().empty());
  set(false);
  CHECK(isQuietlyReady(site));
  if (what == 2) return;  // data have no annotation
  set(true);
  site.settle();
  site.removeMachine("m0");
  site.settle(5min);
  CHECK(site.names<Metal3DataClaim>() == Texts{"m0"});
  CHECK(site.names<IPClaim>() == Texts{"dt-0-prov"});
  set(false);
  site.settle(1min);
  CHECK(site.names<Metal3DataClaim>().empty());
  CHECK(site.names<IPClaim>().empty());
}

TEST_CASE("a claim that was never answered goes, whatever its template does", "[data][pause]") {
  DataSite site;
  const int what = GENERATE(0, 1, 2);
  CAPTURE(what);
  if (what != 2) site.create(dataTemplate(kPlain));
  if (what == 0)
    site.patch<Metal3DataTemplate>("dt", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":"true"}}})");
  if (what == 1) {
    site.kill();
    site.watchFilter = "blue";
    site.start();
  }
  site.settle();
  site.addMachine("m0");
  site.settle(1min);
  REQUIRE(site.names<Metal3DataClaim>() == Texts{"m0"});
  site.removeMachine("m0");
  site.settle(1min);
  CHECK(site.names<Metal3DataClaim>().empty());
}

TEST_CASE("a claim for an address that was never answered goes while its pool rests", "[data][pause]") {
  DataSite site;
  IPPool pool = poolNamed("prov", "10.0.0.10", "10.0.0.11");
  const int what = GENERATE(0, 1, 2);
  CAPTURE(what);
  if (what != 0) pool.spec.clusterName = "c2";
  Cluster other = clusterC1(false);
  other.metadata.name = "c2";
  if (what != 0) site.create(other);
  site.create(pool);
  site.settle();
  if (what == 0) site.patch<IPPool>("prov", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})");
  if (what == 1) site.patch<Cluster>("c2", R"({"spec":{"paused":true}})");
  if (what == 2) site.removeByForce<Cluster>("c2");
  site.create(dataTemplate(kWithPool));
  site.addMachine("m0");
  site.settle();
  REQUIRE(site.names<IPClaim>() == Texts{"dt-0-prov"});
  site.removeMachine("m0");
  site.settle(1min);
  CHECK(site.names<IPClaim>().empty());
  CHECK(site.names<Metal3Data>().empty());
}

TEST_CASE("a watch filter chooses templates and data", "[data][pause]") {
  DataSite site;
  site.kill();
  site.watchFilter = "blue";
  site.start();
  const std::string blue = R"({"metadata":{"labels":{"cluster.x-k8s.io/watch-filter":"blue"}}})";
  site.create(dataTemplate(kPlain));
  site.addMachine("m0");
  site.settle(1min);
  CHECK(site.writes.empty());
  site.patch<Metal3DataTemplate>("dt", blue);
  site.settle();
  CHECK(site.names<Metal3Data>() == Texts{"dt-0"});
  CHECK_FALSE(site.isReady("dt-0"));  // its label comes from the machine
  SECTION("data that get it are completed") {
    site.patch<Metal3Data>("dt-0", blue);
    CHECK(isQuietlyReady(site));
  }
  SECTION("data that do not are not held") {
    site.removeMachine("m0");
    site.settle(1min);
    CHECK(site.names<Metal3Data>().empty());
    CHECK(site.names<Metal3DataClaim>().empty());
  }
}
