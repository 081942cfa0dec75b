// spec/capm3.md §9.3 and §9.4 against an API: machines that wait for hosts which are kept for their owner.
#include "tests/coordinator/machine/site.hpp"

#include "api/capm3/v1beta2/templates.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

using api::capi::MachineSet;
using api::capm3::v1beta2::Metal3MachineTemplate;

const std::string kReuseLabel = "infrastructure.cluster.x-k8s.io/node-reuse";
const std::string kPreparing = "deprovisioning";
const std::string kViaReuse = "True/AssociateBareMetalHostViaNodeReuseSuccess";

// With MachineSet "w-1" of MachineDeployment "w", whose template keeps hosts, unless told otherwise.
class ReuseSite : public MachineSite {
 public:
  void addSet() {
    Metal3MachineTemplate kept;
    kept.metadata = {.name = "t", .namespace_ = "metal"};
    kept.spec.nodeReuse = true;
    kept.spec.template_.spec.image = {.url = "http://images/os.raw", .checksum = "http://images/sums"};
    create(kept);
    MachineSet set;
    set.metadata = {.name = "w-1", .namespace_ = "metal"};
    set.metadata.ownerReferences = {
        {.apiVersion = "cluster.x-k8s.io/v1beta2", .kind = "MachineDeployment", .name = "w", .uid = "w-uid"}};
    set.spec.clusterName = "c1";
    set.spec.template_.spec.clusterName = "c1";
    set.spec.template_.spec.infrastructureRef = {
        .apiGroup = "infrastructure.cluster.x-k8s.io", .kind = "Metal3MachineTemplate", .name = "t"};
    uid = create(set).metadata.uid;
  }
  // No watch tells of any MachineSet from now on.
  void hideSets() {
    kill();
    heldWatch = "/machinesets";
    watchHeldFor = 1h;
    start();
    settle();
  }
  // Kept for the MachineDeployment.
  void keep(const std::string& host, const std::string& state = kPreparing) {
    addHost(host, {{kReuseLabel, "md-w"}}, state);
    patch<BareMetalHost>(host, R"({"spec":{"consumerRef":{"kind":"Cluster","namespace":"metal","name":"c1",)"
                               R"("apiVersion":"cluster.x-k8s.io/v1beta2"}}})");
  }
  // Owned by the MachineSet from its first moment on.
  void addOwned(const std::string& name, const std::function<void(Metal3Machine&)>& change = {}) {
    addMachine(name, [&](Metal3Machine& machine) {
      patch<Machine>(name, fmt::format(R"({{"metadata":{{"ownerReferences":[{{"apiVersion":"cluster.x-k8s.io/v1beta2",)"
                                       R"("kind":"MachineSet","name":"w-1","uid":"{}"}}]}}}})",
                                       uid));
      if (change) change(machine);
    });
  }
  std::string uid;  // of the MachineSet
};

}  // namespace

TEST_CASE("§9.4 (2) all machines that wait for kept hosts get theirs when the last of these is available",
          "[machine][reuse]") {
  ReuseSite site;
  site.addSet();
  for (const auto* host : {"h1", "h2", "h3"}) site.keep(host);
  for (const auto* machine : {"m1", "m2", "m3"}) site.addOwned(machine);
  site.settle();
  for (const auto* machine : {"m1", "m2", "m3"})
    REQUIRE_THAT(site.condition(machine, kAssociate),
                 Catch::Contains("host h1 is kept for md-w and not available yet (deprovisioning)"));
  const std::string last = GENERATE("h1", "h2", "h3");
  for (const auto* host : {"h1", "h2", "h3"})
    if (host != last) site.state(host, "available");
  site.state(last, "available");
  for (const auto* machine : {"m1", "m2", "m3"})
    CHECK_THAT(site.condition(machine, kAssociate), Catch::StartsWith(kViaReuse));
}

TEST_CASE("§9.2, §9.4 (2) a kept host that will not be available is waited for no longer", "[machine][reuse]") {
  ReuseSite site;
  site.addSet();
  site.keep("kept");
  for (const auto* machine : {"m1", "m2"}) site.addOwned(machine);
  site.settle();
  for (const auto* host : {"free1", "free2"}) site.addHost(host);
  site.settle();
  REQUIRE(site.hostOf("m1").empty());
  REQUIRE_THAT(site.condition("m1", kAssociate), Catch::Contains("host kept is kept for md-w and not available yet"));
  SECTION("it has an error") {
    site.patchStatus<BareMetalHost>("kept", R"({"status":{"errorMessage":"no answer from its BMC"}})");
  }
  SECTION("it is paused") {
    site.patch<BareMetalHost>("kept", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":"by hand"}}})");
  }
  SECTION("it is unhealthy") {
    site.patch<BareMetalHost>("kept", R"({"metadata":{"annotations":{"capm3.metal3.io/unhealthy":""}}})");
  }
  SECTION("it is gone") { site.remove<BareMetalHost>("kept"); }
  SECTION("it is kept no more") {
    site.patch<BareMetalHost>("kept", fmt::format(R"({{"metadata":{{"labels":{{"{}":null}}}}}})", kReuseLabel));
  }
  SECTION("somebody has it run something") {
    site.patch<BareMetalHost>("kept", R"({"spec":{"image":{"url":"http://images/other.raw","checksum":"c"}}})");
  }
  site.settle();
  CHECK(site.hostOf("m1").starts_with("free"));
  CHECK(site.hostOf("m2").starts_with("free"));
}

TEST_CASE("§9.1, §9.4 (2) a kept host that a selector takes no more is waited for no longer", "[machine][reuse]") {
  ReuseSite site;
  site.addSet();
  site.keep("kept");
  site.patch<BareMetalHost>("kept", R"({"metadata":{"labels":{"rack":"a"}}})");
  site.addOwned("m1", [](Metal3Machine& machine) { machine.spec.hostSelector.emplace().matchLabels["rack"] = "a"; });
  site.settle();
  site.addHost("free", {{"rack", "a"}});
  site.settle();
  REQUIRE(site.hostOf("m1").empty());
  site.patch<BareMetalHost>("kept", R"({"metadata":{"labels":{"rack":"b"}}})");
  site.settle();
  CHECK(site.hostOf("m1") == "free");
}

TEST_CASE("§9.4 (2) a kept host that is still not available wakes nobody", "[machine][reuse]") {
  ReuseSite site;
  site.addSet();
  site.keep("kept");
  for (const auto* machine : {"m1", "m2"}) site.addOwned(machine);
  site.settle();
  const int passes = site.passes();
  site.state("kept", "preparing");
  site.state("kept", "deprovisioning");
  site.patch<BareMetalHost>("kept", R"({"metadata":{"annotations":{"note":"a"}}})");
  site.settle();
  CHECK(site.passes() == passes);
}

TEST_CASE("§9.3 a machine whose MachineSet no watch has shown yet gets the host that is kept for it",
          "[machine][reuse]") {
  ReuseSite site;
  const bool isMadeAnew = GENERATE(false, true);
  if (isMadeAnew) site.addSet();
  site.hideSets();
  if (isMadeAnew) {
    site.remove<MachineSet>("w-1");
    site.remove<Metal3MachineTemplate>("t");
  }
  site.addSet();
  for (const auto* host : {"a", "b", "c"}) site.addHost(host);
  site.keep("kept", GENERATE("available", "deprovisioning"));
  site.addOwned("m1");
  site.settle();
  if (site.host("kept").status.provisioning.state != "available") {
    CHECK_THAT(site.condition("m1", kAssociate), Catch::Contains("host kept is kept for md-w and not available yet"));
    site.state("kept", "available");
  }
  CHECK(site.hostOf("m1") == "kept");
  site.kill();
}

TEST_CASE("§11 (7) a host of a machine whose MachineSet no watch has shown yet is kept for the next one",
          "[machine][reuse]") {
  ReuseSite site;
  site.hideSets();
  site.addSet();
  site.addHost("h1");
  site.addOwned("m1");
  site.settle();
  site.state("h1", "provisioned");
  site.removeMachine("m1");
  site.settle();
  site.state("h1", "available");
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.host("h1").metadata.labels.at(kReuseLabel) == "md-w");
  site.kill();
}

TEST_CASE("§9.3 a MachineSet that may not be read holds its machines, which say so", "[machine][reuse]") {
  ReuseSite site;
  site.hideSets();
  site.addSet();
  site.addHost("h1");
  site.forbidden = "/machinesets/w-1";
  site.forbidsReads = true;
  site.addOwned("m1");
  site.settle();
  CHECK(site.consumer("h1").empty());
  CHECK_THAT(site.condition("m1", kAssociate),
             Catch::StartsWith("False/AssociateBareMetalHostFailed: ") && Catch::Contains("MachineSet metal/w-1"));
  site.forbidden.clear();
  site.settle(2min);
  CHECK(site.consumer("h1") == "m1");
  site.kill();
}
