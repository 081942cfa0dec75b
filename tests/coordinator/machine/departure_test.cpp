// spec/capm3.md §8.4 and §11 against an API: how machines go, and what becomes of their hosts.
#include "tests/coordinator/machine/site.hpp"

#include "api/capm3/v1beta2/templates.hpp"
#include "kube/core/secret.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

using api::capi::MachineSet;
using api::capm3::v1beta2::Metal3MachineTemplate;

// A MachineSet of a MachineDeployment "md", whose template keeps hosts for reuse, owns Machine m1.
void ownedBySet(MachineSite& site) {
  Metal3MachineTemplate templ;
  templ.metadata = {.name = "t", .namespace_ = "metal"};
  templ.spec.nodeReuse = true;
  templ.spec.template_.spec.image = {.url = "http://images/os.raw", .checksum = "http://images/sums"};
  site.create(templ);
  MachineSet set;
  set.metadata = {.name = "set", .namespace_ = "metal"};
  set.metadata.ownerReferences = {
      {.apiVersion = "cluster.x-k8s.io/v1beta2", .kind = "MachineDeployment", .name = "md", .uid = "md-uid"}};
  set.spec.clusterName = "c1";
  set.spec.template_.spec.clusterName = "c1";
  set.spec.template_.spec.infrastructureRef = {
      .apiGroup = "infrastructure.cluster.x-k8s.io", .kind = "Metal3MachineTemplate", .name = "t"};
  site.create(set);
}

void ownMachine(MachineSite& site, const std::string& name) {
  site.patch<Machine>(name,
                      fmt::format(R"({{"metadata":{{"ownerReferences":[{{"apiVersion":"cluster.x-k8s.io/v1beta2",)"
                                  R"("kind":"MachineSet","name":"set","uid":"{}"}}]}}}})",
                                  site.find<MachineSet>("set")->metadata.uid));
  site.settle();
}

}  // namespace

TEST_CASE("§8.2 (8-10) a pause that no watch has told of yet stops no host", "[machine]") {
  MachineSite site;
  site.deploy();
  SECTION("of the Cluster") {
    site.kill();
    site.heldWatch = "/clusters";
    site.watchHeldFor = 10min;
    site.start();
    site.settle();
    site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
  }
  SECTION("of the machine") {
    site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
      if (request.method != "GET" || !request.path().ends_with("/metal3machines/m1")) co_return;
      co_await site.patchMeanwhile<Metal3Machine>("m1",
                                                  R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})");
    };
  }
  site.removeMachine("m1");
  site.settle(2min);
  CHECK(site.host("h1").spec.image);
  CHECK(site.host("h1").spec.online);
  CHECK(site.find<kube::Secret>("h1-bmc")->metadata.labels.contains("cluster.x-k8s.io/cluster-name"));
  site.meanwhile = nullptr;
  site.patch<Metal3Machine>("m1", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":null}}})");
  site.patch<Cluster>("c1", R"({"spec":{"paused":false}})");
  site.settle(15min);
  CHECK_FALSE(site.host("h1").spec.image);
}

TEST_CASE("§8.4, §11 a host is stopped, waited for and let go, then its machine goes", "[machine]") {
  MachineSite site;
  site.deploy();
  const std::size_t reads = site.hostReads();
  site.removeMachine("m1");
  site.settle();
  auto host = site.host("h1");
  CHECK_FALSE(host.spec.image);
  CHECK_FALSE(host.spec.userData);
  CHECK_FALSE(host.spec.online);
  CHECK(site.consumer("h1") == "m1");  // until it is free
  CHECK_FALSE(site.find<kube::Secret>("h1-bmc")->metadata.labels.contains("cluster.x-k8s.io/cluster-name"));
  CHECK_THAT(site.condition("m1", kMetaData),
             Catch::StartsWith("False/Deleting: deprovisioning BareMetalHost, requeuing"));
  CHECK(site.legacyCondition("m1", "KubernetesNodeReady") == "False/Deleting");
  site.state("h1", "deprovisioning");
  CHECK(site.find<Metal3Machine>("m1"));
  site.state("h1", "available");
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  host = site.host("h1");
  CHECK(site.consumer("h1").empty());
  CHECK_FALSE(host.metadata.labels.contains("cluster.x-k8s.io/cluster-name"));
  CHECK_FALSE(host.metadata.annotations.contains("clusterctl.cluster.x-k8s.io/block-move"));
  CHECK(site.hostReads() == reads + 2);  // before it is stopped, and before it is let go
}

TEST_CASE("§11, §15.4 data and addresses stay until the host has stopped", "[machine]") {
  MachineSite site;
  site.deploy(withTemplate);
  REQUIRE(site.host("h1").spec.metaData);
  site.removeMachine("m1");
  site.settle();
  CHECK_FALSE(site.find<Metal3DataClaim>("m1")->metadata.beingDeleted());
  CHECK_FALSE(site.host("h1").spec.metaData);
  site.state("h1", "available");
  CHECK_FALSE(site.find<Metal3DataClaim>("m1"));
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
}

TEST_CASE("which power a host is left with", "[machine]") {
  MachineSite site;
  SECTION("off") {
    site.deploy();
    site.removeMachine("m1");
    site.settle();
    CHECK_FALSE(site.host("h1").spec.online);
  }
  SECTION("on, when it may never be switched off") {
    site.deploy();
    site.patch<BareMetalHost>("h1", R"({"spec":{"disablePowerOff":true}})");
    site.removeMachine("m1");
    site.settle();
    CHECK(site.host("h1").spec.online);
  }
  SECTION("on, with CAPM3_FAST_TRACK and cleaning") {
    site.fastTrack = true;
    site.restart();
    site.deploy();
    site.removeMachine("m1");
    site.settle();
    CHECK(site.host("h1").spec.online);
  }
}

TEST_CASE("§11 a machine that goes lets nobody else's host go", "[machine]") {
  MachineSite site;
  site.deploy();
  SECTION("taken by another machine") {
    site.patch<BareMetalHost>("h1", R"({"spec":{"consumerRef":{"name":"other"}}})");
    site.settle();
    site.removeMachine("m1");
    site.settle();
    CHECK(site.host("h1").spec.image);
    CHECK(site.host("h1").spec.online);
    CHECK(site.consumer("h1") == "other");
  }
  const auto takenAt = [&](const std::string& method) {
    bool taken = false;
    site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
      if (taken || request.method != method || !request.path().ends_with("/baremetalhosts/h1")) co_return;
      taken = true;
      co_await site.patchMeanwhile<BareMetalHost>("h1", R"({"spec":{"consumerRef":{"name":"other"}}})");
    };
    site.removeMachine("m1");
    site.settle();
    CHECK(taken);
    CHECK(site.host("h1").spec.image);
    CHECK(site.consumer("h1") == "other");
  };
  SECTION("taken before the look") { takenAt("GET"); }
  SECTION("taken between the look and the write") { takenAt("PATCH"); }
  SECTION("gone") {
    site.remove<BareMetalHost>("h1");
    site.settle();
    site.removeMachine("m1");
    site.settle();
  }
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
}

TEST_CASE("§11.2 a host that is kept for its MachineDeployment goes to the next machine of that one only",
          "[machine]") {
  MachineSite site;
  ownedBySet(site);
  site.deploy();
  ownMachine(site, "m1");
  site.removeMachine("m1");
  site.settle();
  site.state("h1", "available");
  REQUIRE_FALSE(site.find<Metal3Machine>("m1"));
  const auto host = site.host("h1");
  CHECK(host.metadata.labels.at("infrastructure.cluster.x-k8s.io/node-reuse") == "md-md");
  CHECK(host.spec.consumerRef->kind == "Cluster");
  CHECK(host.spec.consumerRef->name == "c1");

  site.addMachine("stranger");
  site.settle();
  CHECK(site.hostOf("stranger").empty());
  CHECK_THAT(site.condition("stranger", kAssociate), Catch::Contains("1 host: 1 kept for md-md)"));
  site.state("h1", "deprovisioning");
  site.addMachine("m2");
  ownMachine(site, "m2");
  site.settle(40s);
  CHECK_THAT(site.condition("m2", kAssociate),
             Catch::Contains("host h1 is kept for md-md and not available yet (deprovisioning)"));
  site.state("h1", "available");
  site.settle(40s);
  CHECK(site.hostOf("m2") == "h1");
  CHECK_FALSE(site.host("h1").metadata.labels.contains("infrastructure.cluster.x-k8s.io/node-reuse"));
  CHECK_THAT(site.condition("m2", kAssociate),
             Catch::StartsWith("True/AssociateBareMetalHostViaNodeReuseSuccess: host h"));
}

TEST_CASE("a host is kept for its MachineDeployment also by a process that finds a kind not installed at first",
          "[machine]") {
  MachineSite site;
  ownedBySet(site);
  site.deploy();
  ownMachine(site, "m1");
  site.removeMachine("m1");
  site.settle();
  site.kill();
  site.state("h1", "available");
  const auto [group, plural] = GENERATE(std::pair("/apis/cluster.x-k8s.io", "/machinesets"),
                                        std::pair("/apis/infrastructure.cluster.x-k8s.io", "/metal3machinetemplates"));
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (!request.path().ends_with(group) && !request.path().ends_with(plural)) return std::nullopt;
    return ApiSite::Answer{404, "404 page not found"};
  };
  site.start();
  site.settle();
  site.instead = nullptr;
  CHECK(site.consumer("h1") == "m1");
  site.settle(70s);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.host("h1").metadata.labels["infrastructure.cluster.x-k8s.io/node-reuse"] == "md-md");
}

TEST_CASE("a process that dies at any write of a machine's life comes to the same end", "[machine]") {
  using Death = ApiSite::Death;
  int deaths = 0;
  const auto life = [&deaths](MachineSite& site) {
    deaths = 0;
    site.addHost("h1");
    site.addHost("h2");
    site.addMachine("m1", withTemplate);
    const auto goOn = [&] {
      site.settle(5s);
      if (!site.dead) return;
      ++deaths;
      site.restart();
      site.settle(40s);
    };
    goOn();
    site.renderData("m1");
    goOn();
    const std::string host = site.hostOf("m1");
    REQUIRE_FALSE(host.empty());
    site.state(host, "provisioned");
    goOn();
    site.join(host, "n1");
    goOn();
    CHECK(site.isProvisioned("m1"));
    const std::string other = host == "h1" ? "h2" : "h1";
    CHECK(site.consumer(other).empty());
    CHECK_FALSE(site.host(other).spec.image);
    site.removeMachine("m1");
    goOn();
    CHECK(site.consumer(host) == "m1");
    site.state(host, "available");
    goOn();
    CHECK_FALSE(site.find<Metal3Machine>("m1"));
    CHECK_FALSE(site.find<Metal3DataClaim>("m1"));
    for (const char* name : {"h1", "h2"}) {
      CHECK(site.consumer(name).empty());
      const auto spec = site.host(name).spec;
      CHECK_FALSE(spec.image);
      CHECK_FALSE((spec.userData || spec.metaData || spec.networkData));
      CHECK_FALSE(spec.online);
    }
  };
  std::size_t writes = 0;
  {
    MachineSite site;
    life(site);
    writes = site.writes.size();
  }
  REQUIRE(writes > 10);
  for (const Death death : {Death::before, Death::after}) {
    for (std::size_t at = 0; at < writes; ++at) {
      INFO((death == Death::before ? "before" : "after") << " write " << at);
      MachineSite site;
      site.dieAtWrite = at;
      site.death = death;
      life(site);
      CHECK(deaths == 1);
    }
  }
}

TEST_CASE("a pause in the middle of a deletion ends with it, and the host goes on", "[machine]") {
  MachineSite site;
  site.deploy();
  site.removeMachine("m1");
  site.settle();
  site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
  site.settle();
  REQUIRE(site.host("h1").metadata.annotations.contains("baremetalhost.metal3.io/paused"));
  site.patch<Cluster>("c1", R"({"spec":{"paused":false}})");
  site.settle();
  CHECK_FALSE(site.host("h1").metadata.annotations.contains("baremetalhost.metal3.io/paused"));
  site.state("h1", "available");
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
}

TEST_CASE("of two hosts that name one machine none is left behind", "[machine]") {
  MachineSite site;
  site.deploy();
  site.addHost("h2");
  site.patch<BareMetalHost>("h2", R"({"spec":{"online":true,)"
                                  R"("consumerRef":{"kind":"Metal3Machine","namespace":"metal","name":"m1",)"
                                  R"("apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2"}}})");
  SECTION("which has been told nothing") {}
  SECTION("which runs with the machine's user data") {
    site.patch<BareMetalHost>("h2", R"({"spec":{"image":{"url":"http://images/os.raw","checksum":"c"},)"
                                    R"("userData":{"name":"m1-boot","namespace":"metal"}}})");
  }
  site.settle();
  CHECK(site.hostOf("m1") == "h1");  // what is linked stays
  site.removeMachine("m1");
  site.settle();
  site.state("h1", "available");
  site.settle(1min);
  CHECK(site.consumer("h1").empty());
  CHECK(site.consumer("h2").empty());
  CHECK_FALSE(site.host("h2").spec.image);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.told("LeftToItself") == 0);
}

TEST_CASE("§11 a host that names a machine which never told it anything runs on when that goes", "[machine]") {
  MachineSite site;
  site.deploy();
  site.putInService("h2", "m2");
  site.patch<BareMetalHost>("h2", R"({"spec":{"consumerRef":{"name":"m1"}}})");  // an old manifest, say
  if (GENERATE(false, true)) site.patch<BareMetalHost>("h2", R"({"spec":{"userData":null}})");
  site.settle();
  const auto before = site.host("h2").spec;
  site.removeMachine("m1");
  site.settle();
  site.state("h1", "available");
  site.settle(1min);
  CHECK(site.consumer("h1").empty());
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.host("h2").spec == before);
  CHECK(site.told("LeftToItself") == 1);
  CHECK(
      site.toldText("LeftToItself") ==
      "Metal3Machine m1, its consumer, is deleted, but links to another host and never told this one what to run: the "
      "host runs on. To free it, take off spec.consumerRef and what it runs");
}

TEST_CASE("§11 (7) a Cluster, or a MachineSet, that is deleted keeps no host", "[machine]") {
  MachineSite site;
  ownedBySet(site);
  site.deploy();
  ownMachine(site, "m1");
  const std::string deleted = GENERATE("", "Cluster", "MachineSet");
  CAPTURE(deleted);
  site.patch<Cluster>("c1", R"({"metadata":{"finalizers":["cluster.cluster.x-k8s.io"]}})");
  site.patch<MachineSet>("set", R"({"metadata":{"finalizers":["cluster.x-k8s.io/machineset"]}})");
  if (deleted == "Cluster") site.remove<Cluster>("c1");
  if (deleted == "MachineSet") site.remove<MachineSet>("set");
  site.removeMachine("m1");
  site.settle();
  site.state("h1", "available");
  site.settle(1min);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.host("h1").spec.consumerRef.has_value() == deleted.empty());
  CHECK(site.host("h1").metadata.labels.contains("infrastructure.cluster.x-k8s.io/node-reuse") == deleted.empty());
}

TEST_CASE("a machine waits for the data claim of an earlier one of its name to go", "[machine]") {
  MachineSite site;
  Metal3DataClaim old;
  old.metadata = {.name = "m1", .namespace_ = "metal"};
  old.metadata.finalizers = {"metal3dataclaim.infrastructure.cluster.x-k8s.io"};
  old.spec.template_ = {.name = "dt", .namespace_ = "metal"};
  site.create(old);
  site.remove<Metal3DataClaim>("m1");
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle();
  CHECK_THAT(site.condition("m1", kMetaData), Catch::Contains("of an earlier machine"));
  site.patch<Metal3DataClaim>("m1", R"({"metadata":{"finalizers":[]}})");
  site.settle(40s);
  CHECK_FALSE(site.find<Metal3DataClaim>("m1").value().metadata.beingDeleted());
}
