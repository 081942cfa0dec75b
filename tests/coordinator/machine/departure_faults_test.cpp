// spec/capm3.md §8.4 and §11 against an API: machines that go while something is missing, late or not to be read.
#include "tests/coordinator/machine/site.hpp"

#include "api/capm3/v1beta2/templates.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

using api::capi::MachineSet;
using api::capm3::v1beta2::Metal3MachineTemplate;

void inUse(MachineSite& site) {
  site.addHost("h1");
  site.addMachine("m1");
  site.settle();
  site.state("h1", "provisioned");
  REQUIRE(site.host("h1").spec.image);
}

// A MachineSet that no MachineDeployment owns, with a template that keeps hosts for reuse, owns Machine m1.
void ownedByBareSet(MachineSite& site) {
  Metal3MachineTemplate kept;
  kept.metadata = {.name = "t", .namespace_ = "metal"};
  kept.spec.nodeReuse = true;
  kept.spec.template_.spec.image = {.url = "http://images/os.raw", .checksum = "http://images/sums"};
  site.create(kept);
  MachineSet set;
  set.metadata = {.name = "set", .namespace_ = "metal"};
  set.spec.clusterName = "c1";
  set.spec.template_.spec.clusterName = "c1";
  set.spec.template_.spec.infrastructureRef = {
      .apiGroup = "infrastructure.cluster.x-k8s.io", .kind = "Metal3MachineTemplate", .name = "t"};
  const auto stored = site.create(set);
  site.patch<Machine>("m1",
                      fmt::format(R"({{"metadata":{{"ownerReferences":[{{"apiVersion":"cluster.x-k8s.io/v1beta2",)"
                                  R"("kind":"MachineSet","name":"set","uid":"{}"}}]}}}})",
                                  stored.metadata.uid));
  site.settle();
}

}  // namespace

TEST_CASE("§11 a host of a MachineSet without a MachineDeployment is kept for nobody", "[machine][departure]") {
  MachineSite site;
  inUse(site);
  ownedByBareSet(site);
  site.removeMachine("m1");
  site.settle();
  site.state("h1", "available");
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.consumer("h1").empty());
  CHECK_FALSE(site.host("h1").metadata.labels.contains("infrastructure.cluster.x-k8s.io/node-reuse"));
}

TEST_CASE("§8.2, §8.4, §21 Q11, §21 Q28 a machine goes without infrastructure, bootstrap data or Metal3Cluster",
          "[machine][departure]") {
  MachineSite site;
  inUse(site);
  site.patchStatus<Cluster>("c1", R"({"status":{"initialization":null}})");
  site.patchStatus<Machine>("m1", R"({"status":{"initialization":null}})");
  site.remove<Metal3Cluster>("c1");
  site.settle();
  site.removeMachine("m1");
  site.settle();
  CHECK_FALSE(site.host("h1").spec.image);
  site.state("h1", "available");
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
}

TEST_CASE("a claim that no cache has seen is found when its machine goes", "[machine][departure]") {
  MachineSite site;
  site.addHost("h1");
  site.kill();
  site.addMachine("m1", [](Metal3Machine& machine) {
    machine.metadata.finalizers = {"metal3machine.infrastructure.cluster.x-k8s.io"};
    machine.metadata.annotations["metal3.io/BareMetalHost"] = "metal/h1";
  });
  site.removeMachine("m1");
  bool claimed = false;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (claimed || request.method != "GET" || !request.path().ends_with("/baremetalhosts/h1")) co_return;
    claimed = true;
    co_await site.patchMeanwhile<BareMetalHost>(
        "h1", R"({"spec":{"image":{"url":"http://images/os.raw","checksum":"c"},"consumerRef":{"kind":"Metal3Machine",)"
              R"("namespace":"metal","name":"m1","apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2"}}})");
  };
  site.start();
  site.settle(1min);
  REQUIRE(claimed);
  CHECK(site.consumer("h1").empty());
  CHECK_FALSE(site.host("h1").spec.image);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
}

TEST_CASE("a claim that is carried out after its machine was deleted keeps no host", "[machine][departure]") {
  MachineSite site;
  site.addHost("h1");
  std::string claim;
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (request.method != "PATCH" || request.body.find("consumerRef") == std::string::npos) return std::nullopt;
    claim = request.body;
    return ApiSite::Answer{};
  };
  site.addMachine("m1");
  site.settle();
  REQUIRE_FALSE(claim.empty());
  SECTION("while the process runs") {}
  SECTION("of a process that is gone") { site.restart(); }
  site.removeMachine("m1");
  site.settle(1min);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK_THROWS_AS(site.patch<BareMetalHost>("h1", claim), kube::Error);
  CHECK(site.consumer("h1").empty());
  CHECK_FALSE(site.host("h1").metadata.annotations.contains("ingot.dev/let-go-by"));
}

TEST_CASE("a Secret is labelled and unlabelled while its watch is behind", "[machine][departure]") {
  const std::string label = "cluster.x-k8s.io/cluster-name";
  MachineSite site;
  site.kill();
  site.addHost("h1");
  site.heldWatch = "/secrets";
  site.watchHeldFor = 1h;
  site.survives = true;
  site.death = ApiSite::Death::after;
  const bool answered = GENERATE(true, false);
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    const bool isLabel = request.method == "PATCH" && request.path().ends_with("/secrets/h1-bmc");
    if (isLabel && !answered && !site.dieAtWrite) site.dieAtWrite = site.writes.size();
    co_return;
  };
  site.start();
  for (const auto* machine : {"m1", "m2"}) {
    site.addMachine(machine);
    site.settle();
    CHECK(site.find<kube::Secret>("h1-bmc")->metadata.labels.contains(label));
    site.removeMachine(machine);
    site.settle();
    site.state("h1", "available");
    CHECK_FALSE(site.find<Metal3Machine>(machine));
    CHECK_FALSE(site.find<kube::Secret>("h1-bmc")->metadata.labels.contains(label));
  }
}

TEST_CASE("a label that arrives after its host was let go labels nothing", "[machine][departure]") {
  MachineSite site;
  site.addHost("h1");
  std::string label;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    const bool isLabel = request.method == "PATCH" && request.path().ends_with("/secrets/h1-bmc");
    if (isLabel && label.empty()) label = request.body;
    co_return;
  };
  site.addMachine("m1");
  site.settle();
  REQUIRE_FALSE(label.empty());
  site.removeMachine("m1");
  site.settle();
  REQUIRE_FALSE(site.find<Metal3Machine>("m1"));
  CHECK_THROWS_AS(site.patch<kube::Secret>("h1-bmc", label), kube::Error);
  CHECK_FALSE(site.find<kube::Secret>("h1-bmc")->metadata.labels.contains("cluster.x-k8s.io/cluster-name"));
}

TEST_CASE("§11 (1) a Secret that may not be written to does not hold the release up", "[machine][departure]") {
  MachineSite site;
  inUse(site);
  site.forbidden = "/secrets/h1-bmc";
  site.removeMachine("m1");
  site.settle();
  CHECK_FALSE(site.host("h1").spec.image);
  site.state("h1", "available");
  CHECK(site.consumer("h1").empty());
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
}

TEST_CASE("§11 (1) a Secret that cannot be read holds neither the stop of its host nor the machine",
          "[machine][departure]") {
  const std::string label = "cluster.x-k8s.io/cluster-name";
  MachineSite site;
  inUse(site);
  site.patch<kube::Secret>("h1-bmc", R"({"metadata":{"labels":{"environment.metal3.io":null}}})");  // in no cache
  bool fails = true;
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (!fails || !request.path().ends_with("/secrets/h1-bmc")) return std::nullopt;
    return ApiSite::Answer{500, R"({"kind":"Status","code":500,"reason":"InternalError","message":"etcd is slow"})"};
  };
  site.removeMachine("m1");
  site.settle(10s);
  CHECK_FALSE(site.host("h1").spec.image);
  CHECK_FALSE(site.host("h1").spec.online);
  bool isUnlabelled = true;
  SECTION("that can be read again when the host has been stopped") { fails = false; }
  SECTION("that can be read again soon afterwards") {
    site.state("h1", "available");
    site.settle(10s);
    CHECK(site.consumer("h1") == "m1");
    fails = false;
  }
  SECTION("for good") { isUnlabelled = false; }
  site.state("h1", "available");
  site.settle(2min);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.consumer("h1").empty());
  CHECK(site.find<kube::Secret>("h1-bmc")->metadata.labels.contains(label) != isUnlabelled);
}

TEST_CASE("what the API refuses in the machine's own metadata is told", "[machine][departure]") {
  MachineSite site;
  inUse(site);
  bool refuses = true;
  int refused = 0;
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (!refuses || request.method != "PATCH" || !request.path().ends_with("/metal3machines/m1")) return std::nullopt;
    ++refused;
    return ApiSite::Answer{422,
                           R"({"kind":"Status","code":422,"reason":"Invalid","message":"the checksum is missing"})"};
  };
  site.removeMachine("m1");
  site.settle();
  site.state("h1", "available");
  REQUIRE(refused > 0);
  REQUIRE(site.find<Metal3Machine>("m1"));
  CHECK_THAT(site.condition("m1", kMetaData), Catch::Contains("the checksum is missing"));
  refuses = false;
  site.settle(10min);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
}

TEST_CASE("a host that works again when it is to be let go is not let go", "[machine][departure]") {
  MachineSite site;
  inUse(site);
  site.removeMachine("m1");
  site.settle();
  int looks = 0;
  bool worked = false;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method != "GET" || !request.path().ends_with("/baremetalhosts/h1")) co_return;
    if (++looks > 1) co_return;
    worked = true;
    co_await site.patchStatusMeanwhile<BareMetalHost>("h1", R"({"status":{"provisioning":{"state":"preparing"}}})");
  };
  site.state("h1", "available");
  REQUIRE(worked);
  CHECK(site.consumer("h1") == "m1");
  CHECK(site.find<Metal3Machine>("m1"));
  site.state("h1", "available");
  CHECK(site.consumer("h1").empty());
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
}

TEST_CASE("a host that cannot be read holds its machine", "[machine][departure]") {
  MachineSite site;
  inUse(site);
  site.kill();
  site.remove<BareMetalHost>("h1");  // the API lists none that it cannot read
  site.forbidden = "/baremetalhosts/h1";
  site.forbidsReads = true;
  site.unreadable.add("baremetalhosts.metal3.io", {"metal", "h1"});
  site.removeMachine("m1");
  site.start();
  site.settle();
  CHECK_THAT(site.condition("m1", kMetaData), Catch::Contains("BareMetalHost h1 cannot be read"));
  CHECK(site.find<Metal3Machine>("m1"));
}

TEST_CASE("§11 (7) a host is not let go while it cannot be read whether it is kept for reuse", "[machine][departure]") {
  const auto [kind, version, plural, name] = GENERATE(table<std::string, std::string, std::string, std::string>(
      {{"Metal3MachineTemplate", "infrastructure.cluster.x-k8s.io/v1beta2", "metal3machinetemplates", "t"},
       {"MachineSet", "cluster.x-k8s.io/v1beta2", "machinesets", "set"}}));
  MachineSite site;
  inUse(site);
  ownedByBareSet(site);
  site.patch<MachineSet>("set", R"({"metadata":{"ownerReferences":[{"apiVersion":"cluster.x-k8s.io/v1beta2",)"
                                R"("kind":"MachineDeployment","name":"md","uid":"md-uid"}]}})");
  site.removeMachine("m1");
  site.settle();
  site.kill();
  site.state("h1", "available");
  site.unreadable.add(plural + "." + version.substr(0, version.find('/')), {"metal", name});
  const ApiSite::Answer none{200, fmt::format(R"({{"kind":"{}List","apiVersion":"{}","items":[],)"
                                              R"("metadata":{{"resourceVersion":"1"}}}})",
                                              kind, version)};
  const std::string path = "/" + plural;
  site.instead = [&](const net::ServerRequest& request) {  // the API lists none that it cannot read
    const bool isList = request.path().ends_with(path) && request.query().find("watch=true") == std::string::npos;
    return isList ? std::optional(none) : std::nullopt;
  };
  site.heldWatch = path;
  site.watchHeldFor = 1h;
  site.start();
  site.settle(1min);
  CHECK(site.consumer("h1") == "m1");
  REQUIRE(site.find<Metal3Machine>("m1"));
  CHECK(site.condition("m1", kMetaData) == fmt::format("False/Deleting: {} {} cannot be read", kind, name));
  site.kill();
  site.unreadable = {};
  site.instead = nullptr;
  site.heldWatch.clear();
  site.start();
  site.settle(1min);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.host("h1").metadata.labels["infrastructure.cluster.x-k8s.io/node-reuse"] == "md-md");
}

TEST_CASE("a machine that is deleted while the process is dead leaves nothing behind", "[machine][departure]") {
  const auto life = [](MachineSite& site) {
    site.addHost("h1");
    site.addMachine("m1", withTemplate);
    site.settle(5s);
    if (site.dead || !site.find<Metal3DataClaim>("m1")) return;
    site.renderData("m1");
    if (!site.dead) site.state("h1", "provisioned");
  };
  const auto end = [](MachineSite& site) {
    if (site.find<Metal3Machine>("m1")) site.removeMachine("m1");
    site.restart();
    site.settle(40s);
    const bool wasInUse = site.consumer("h1") == "m1";
    if (wasInUse) site.state("h1", "available");
    site.settle(40s);
    const auto host = site.host("h1");
    CHECK_FALSE(host.spec.consumerRef);
    CHECK_FALSE(host.spec.image);
    CHECK_FALSE(host.spec.userData);
    CHECK_FALSE(host.spec.metaData);
    CHECK_FALSE(host.spec.networkData);
    CHECK_FALSE(site.find<Metal3Machine>("m1"));
    CHECK_FALSE(site.find<Metal3DataClaim>("m1"));
  };
  std::size_t writes = 0;
  {
    MachineSite site;
    life(site);
    writes = site.writes.size();
  }
  REQUIRE(writes >= 6);
  for (const auto death : {ApiSite::Death::before, ApiSite::Death::after}) {
    for (std::size_t at = 0; at < writes; ++at) {
      INFO((death == ApiSite::Death::before ? "before" : "after") << " write " << at);
      MachineSite site;
      site.dieAtWrite = at;
      site.death = death;
      life(site);
      end(site);
    }
  }
}
