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
