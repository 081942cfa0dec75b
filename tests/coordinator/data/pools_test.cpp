// Pools of other providers, claims that stand for a host, claims that are in the way (spec/capm3.md §16).
#include "kube/core/secret.hpp"
#include "kube/runtime/finalizer.hpp"
#include "tests/coordinator/data/foreign_pool.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

IPPool keeping(const std::string& claim, const std::string& address) {
  auto pool = poolNamed("prov", "10.0.0.10", "10.0.0.20");
  pool.spec.preAllocations = {{claim, address}};
  return pool;
}

void startNamedByHost(DataSite& site) {
  site.kill();
  site.addressClaims = coordinator::data::NamedBy::host;
  site.start();
}

}  // namespace

TEST_CASE("§16.2, §16.4 pools of both groups give addresses to one machine", "[data][pools]") {
  DataSite site;
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.10"));
  site.create(dataTemplate(kForeign));
  site.addMachine("m0");
  site.settle();
  CHECK_FALSE(site.isReady("dt-0"));
  const auto claim = *site.find<IPAddressClaim>("dt-0-theirs");
  const auto data = *site.find<Metal3Data>("dt-0");
  CHECK(claim.spec.poolRef == api::capi_ipam::PoolReference{"theirs", "ExamplePool", "ipam.example.com"});
  CHECK(claim.metadata.finalizers == Texts{"metal3data.infrastructure.cluster.x-k8s.io"});
  CHECK(claim.metadata.labels == data.metadata.labels);
  CHECK(claim.metadata.ownedBy(data.metadata.uid));
  site.settle(1min);
  CHECK(data.status.errorMessage.empty());
  CHECK(site.told("WaitingForAddresses") == 1);
  answer(site, "dt-0-theirs", "192.0.2.7");
  site.settle();
  CHECK(site.isReady("dt-0"));
  CHECK(site.textOf("m0-metadata", "metaData") == "own: 10.0.0.10\nproviderid: metal/host-m0/m0\n");
  const std::string network = site.textOf("m0-networkdata", "networkData");
  CHECK(count({network}, "ip_address: 192.0.2.7") == 1);
  CHECK(count({network}, "netmask: 255.255.255.128") == 1);
  site.removeMachine("m0");
  site.settle(1min);
  CHECK(site.names<IPAddressClaim>().empty());
  CHECK(site.names<IPClaim>().empty());
  CHECK(site.names<Metal3Data>().empty());
}

TEST_CASE("§16.4 a refusal of a foreign provider is told", "[data][pools]") {
  DataSite site;
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.10"));
  site.create(dataTemplate(kForeign));
  site.addMachine("m0");
  site.settle();
  site.patchStatus<IPAddressClaim>("dt-0-theirs", R"({"status":{"conditions":[{"type":"Ready","status":"False",
      "reason":"PoolExhausted","message":"no address left","lastTransitionTime":"2026-01-01T00:00:00Z"}]}})");
  site.settle();
  CHECK(site.find<Metal3Data>("dt-0")->status.errorMessage == "IP Allocation for theirs failed : no address left");
  answer(site, "dt-0-theirs", "192.0.2.7");
  site.settle();
  CHECK(site.isReady("dt-0"));
  CHECK(site.find<Metal3Data>("dt-0")->status.errorMessage.empty());
}

TEST_CASE("an address that another claim has is not used", "[data][pools]") {
  DataSite site;
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.10"));
  site.create(dataTemplate(kForeign));
  site.addMachine("m0");
  site.settle();
  give(site, "somebody", "192.0.2.7");
  site.patchStatus<IPAddressClaim>("dt-0-theirs", R"({"status":{"addressRef":{"name":"theirs-1"}}})");
  site.settle(1min);
  CHECK_FALSE(site.isReady("dt-0"));
}

TEST_CASE("§16.2, §21 Q21 with claims named by the host each host keeps its address", "[data][pools][preallocation]") {
  DataSite site;
  startNamedByHost(site);
  site.create(keeping("host-m1-prov", "10.0.0.17"));
  site.create(dataTemplate(kWithPool));
  site.addMachine("m0");
  site.settle();
  site.addMachine("m1");
  site.settle();
  CHECK(site.names<IPClaim>() == Texts{"host-m0-prov", "host-m1-prov"});
  CHECK(count({site.textOf("m0-metadata", "metaData")}, "ip: 10.0.0.10") == 1);
  CHECK(count({site.textOf("m1-metadata", "metaData")}, "ip: 10.0.0.17") == 1);
  const auto claim = *site.find<IPClaim>("host-m1-prov");
  CHECK(claim.metadata.labels.at("infrastructure.cluster.x-k8s.io/data-name") == "dt-1");
  CHECK(claim.metadata.labels.at("infrastructure.cluster.x-k8s.io/pool-name") == "prov");
  CHECK(site.reads.size() == 2);  // the hosts
  site.removeMachine("m1");
  site.settle(1min);
  CHECK(site.names<IPClaim>() == Texts{"host-m0-prov"});
  CHECK(site.names<api::ipam::IPAddress>().size() == 1);
}

TEST_CASE("§16.2 (2) a claim named by its host is used after a change back to the default",
          "[data][pools][preallocation]") {
  DataSite site;
  startNamedByHost(site);
  site.create(keeping("host-m0-prov", "10.0.0.17"));
  site.create(dataTemplate(kWithPool));
  site.addMachine("m0");
  site.settle();
  site.kill();
  site.addressClaims = coordinator::data::NamedBy::data;
  site.remove<kube::Secret>("m0-metadata");
  site.start();
  site.settle();
  CHECK(site.isReady("dt-0"));
  CHECK(count({site.textOf("m0-metadata", "metaData")}, "ip: 10.0.0.17") == 1);
  CHECK(site.names<IPClaim>() == Texts{"host-m0-prov"});
}

TEST_CASE("data go on at once when the claim goes that has the name of theirs", "[data][pools][preallocation]") {
  DataSite site;
  startNamedByHost(site);
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.20"));
  site.create(dataTemplate(kWithPool));
  IPClaim other;
  other.metadata = {.name = "host-m0-prov", .namespace_ = "metal"};
  other.spec.pool.name = "prov";
  site.create(other);
  site.addMachine("m0");
  site.settle(1min);
  REQUIRE_FALSE(site.isReady("dt-0"));
  site.remove<IPClaim>("host-m0-prov");
  site.settle();
  CHECK(site.isReady("dt-0"));
}

TEST_CASE("claims of data with a long name are made, without the label that cannot hold it",
          "[data][pools][preallocation]") {
  DataSite site;
  startNamedByHost(site);
  const std::string longName(70, 'd');
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.20"));
  site.create(dataTemplate(kWithPool, longName));
  site.addHost("m0");
  site.create(metalMachine(site.create(machineNamed("m0")), longName));
  site.addClaim("m0");
  site.settle();
  CHECK(site.isReady(longName + "-0"));
  CHECK(site.find<IPClaim>("host-m0-prov")->metadata.labels.contains("infrastructure.cluster.x-k8s.io/pool-name"));
  site.removeMachine("m0");
  site.settle(1min);
  CHECK(site.names<IPClaim>().empty());
}

TEST_CASE("§16.3 (2) a claim of the same name that is somebody else's is waited for", "[data][pools]") {
  DataSite site;
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.20"));
  site.create(dataTemplate(kWithPool));
  IPClaim other;
  other.metadata = {.name = "dt-0-prov", .namespace_ = "metal"};
  other.spec.pool.name = "prov";
  SECTION("until it is gone") {
    site.create(other);
    site.addMachine("m0");
    site.settle(1min);
    CHECK(site.find<Metal3Data>("dt-0")->status.errorMessage ==
          "waiting for addresses of IPPool prov (IPClaim dt-0-prov is somebody else's)");
    site.remove<IPClaim>("dt-0-prov");
  }
  SECTION("also when our finalizer on it is all that keeps it, as of data that are gone") {
    site.kill();
    other.metadata.finalizers = {"metal3data.infrastructure.cluster.x-k8s.io"};
    site.create(other);
    site.remove<IPClaim>("dt-0-prov");
    site.start();
    site.addMachine("m0");
  }
  site.settle(3min);
  CHECK(site.isReady("dt-0"));
  CHECK(site.find<IPClaim>("dt-0-prov")->metadata.ownedBy(site.find<Metal3Data>("dt-0")->metadata.uid));
  CHECK(site.breaches().empty());
}

TEST_CASE("§16.1 an annotation of the host names the pool", "[data][pools]") {
  DataSite site;
  site.create(poolNamed("rack1", "10.0.1.10", "10.0.1.20"));
  site.create(dataTemplate(R"({"networkData":{"networks":{"ipv4":[{"id":"p","link":"eth0",
      "ipAddressFromIPPool":"unused","fromPoolAnnotation":{"object":"baremetalhost","annotation":"pool"}}]}}})"));
  site.addMachine("m0");
  site.settle();
  CHECK(count({site.find<Metal3Data>("dt-0")->status.errorMessage},
              "annotation pool not found or empty on baremetalhost") == 1);
  site.patch<BareMetalHost>("host-m0", R"({"metadata":{"annotations":{"pool":"rack1"}}})");
  site.settle();
  CHECK(site.isReady("dt-0"));
  CHECK(site.names<IPClaim>() == Texts{"dt-0-rack1"});
  site.removeMachine("m0");
  site.settle(1min);
  CHECK(site.names<IPClaim>().empty());  // though the annotation could not be read any more
}

TEST_CASE("what a template shows is written once a second at most", "[data][publication]") {
  DataSite site;
  site.create(dataTemplate(kPlain));
  site.settle();
  site.writes.clear();
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 4; ++j) site.addMachine(fmt::format("m{}", 4 * i + j));
    site.loop.clock.advance(500ms);
  }
  site.settle();
  CHECK(site.find<Metal3DataTemplate>("dt")->status.indexes.size() == 20);
  CHECK(count(site.writes, "metal3datatemplates/dt/status") <= 4);
  CHECK(site.retries("metal3datatemplate") <= site.passes("metal3datatemplate"));
}

namespace {

// More than the template's status takes, made while nobody works.
void createManyData(DataSite& site) {
  site.create(dataTemplate(kPlain));
  site.kill();
  for (int i = 0; i < 520; ++i) {
    Metal3Data data;
    data.metadata = {.name = fmt::format("dt-{}", i), .namespace_ = "metal"};
    data.metadata.annotations["cluster.x-k8s.io/paused"] = "true";
    data.spec.index = i;
    data.spec.template_ = {.name = "dt", .namespace_ = "metal"};
    data.spec.claim = {.name = fmt::format("c{}", i), .namespace_ = "metal"};
    site.create(data);
  }
  site.start();
  site.settle();
}

}  // namespace

TEST_CASE("a template with more data than its status takes shows the first, and tells once", "[data][publication]") {
  DataSite site;
  createManyData(site);
  CHECK(site.find<Metal3DataTemplate>("dt")->status.indexes.size() == 512);
  CHECK(site.told("IndexesNotShown") == 1);
  site.addMachine("m0");
  site.settle();
  CHECK(site.find<Metal3DataClaim>("m0")->status.renderedData->name == "dt-520");
  CHECK(site.told("IndexesNotShown") == 1);
}

TEST_CASE("new data do not bring a template back that shows all it may", "[data][publication]") {
  DataSite site;
  createManyData(site);
  const int before = site.passes("metal3datatemplate");
  for (int i = 0; i < 20; ++i) {
    site.addMachine(fmt::format("m{}", i));
    site.loop.clock.advance(50ms);
  }
  site.settle();
  CHECK(site.names<Metal3Data>().size() == 540);
  CHECK(site.passes("metal3datatemplate") - before <= 4);
}

TEST_CASE("data whose claim has an address kept for it that another claim has say so, until it is free",
          "[data][pools]") {
  DataSite site;
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.20"));
  site.create(dataTemplate(kWithPool));
  site.addMachine("m0");
  site.settle();
  REQUIRE(site.isReady("dt-0"));
  site.patch<IPPool>("prov", R"({"spec":{"preAllocations":{"dt-1-prov":"10.0.0.10"}}})");  // which dt-0 has
  site.addMachine("m1");
  site.settle(1min);
  CHECK_FALSE(site.isReady("dt-1"));
  CHECK_THAT(site.find<Metal3Data>("dt-1")->status.errorMessage,
             Catch::Contains("IPClaim dt-1-prov has no address yet"));
  CHECK(site.told("WaitingForAddress") >= 1);
  CHECK(site.breaches().empty());
  site.removeMachine("m0");
  site.settle(3min);
  CHECK(site.isReady("dt-1"));
  CHECK(site.find<Metal3Data>("dt-1")->status.errorMessage.empty());
  CHECK(site.all<api::ipam::IPAddress>().front().spec.address == "10.0.0.10");
}
