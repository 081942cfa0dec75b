// Metal3Machines as `ingot-coordinator --embedded` runs their controller, with its hosts and a simulated Ironic.
#include "api/capm3/v1beta2/templates.hpp"
#include "api/crd/crd.hpp"
#include "kube/runtime/conditions.hpp"
#include "tests/scenario/cluster_api.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;

std::optional<Metal3Machine> metalMachine(Site& site, const std::string& name) {
  return site.run(site.client().get<Metal3Machine>({"default", name}));
}

}  // namespace

TEST_CASE("a machine takes a host through its whole life, and CAPM3_FAST_TRACK leaves it on", "[scenario]") {
  const bool fastTrack = GENERATE(false, true);
  Site site({}, Site::ClusterApi::absent, {{"CAPM3_FAST_TRACK", fastTrack ? "true" : "false"}});
  site.loop.clock.advance(10s);
  install(site, api::crdOf<Cluster>());
  install(site, api::crdOf<Machine>());
  Cluster cluster = clusterNamed("c1");
  cluster.spec.infrastructureRef = {.apiGroup = std::string(api::capm3::kGroup), .kind = "Metal3Cluster", .name = "c1"};
  make(site, metalCluster(make(site, cluster).metadata.uid));
  site.loop.clock.advance(40s);  // a kind that is absent is looked for each half minute
  status<Cluster>(site, "c1", R"({"status":{"initialization":{"infrastructureProvisioned":true}}})");
  makeMachine(site, "m1");
  site.loop.clock.advance(10s);
  const auto waiting = metalMachine(site, "m1").value();
  const auto* condition = kube::findCondition(waiting.status.conditions, "AssociateBareMetalHost");
  REQUIRE(condition != nullptr);
  CHECK_THAT(condition->message, Catch::Contains("no host in namespace default"));

  site.createHost("h1", "redfish://10.0.0.1/redfish/v1/Systems/1");
  REQUIRE(site.reaches("h1", "provisioned"));
  const auto host = site.host("h1").value();
  CHECK(host.spec.consumerRef->name == "m1");
  CHECK(host.spec.userData->name == "m1-boot");
  site.restart();
  site.loop.clock.advance(1min);
  const auto provisioned = metalMachine(site, "m1").value();
  const auto* node = kube::findCondition(provisioned.status.conditions, "AssociateMetal3MachineMetaData");
  REQUIRE(node != nullptr);
  CHECK_THAT(node->message, Catch::Contains("the Nodes of the workload cluster are not known"));  // no kubeconfig

  CHECK(site.run(site.client().remove<Metal3Machine>({"default", "m1"})));
  REQUIRE(site.reaches("h1", "available"));
  site.loop.clock.advance(10s);
  CHECK_FALSE(metalMachine(site, "m1"));
  CHECK_FALSE(site.host("h1")->spec.consumerRef);
  CHECK(site.host("h1")->spec.online == fastTrack);
  site.loop.clock.advance(1min);
  CHECK(site.host("h1")->status.poweredOn == fastTrack);
}

TEST_CASE("the cleaning mode of a template reaches its machines' hosts, and Ironic", "[scenario]") {
  Site site;
  makeCluster(site);
  api::capm3::v1beta2::Metal3MachineTemplate workers;
  workers.metadata.name = "workers";
  workers.spec.template_.spec.image = {.url = "http://images/os.raw", .checksum = "abcd"};
  make(site, workers);
  site.createHost("h1", "redfish://10.0.0.1/redfish/v1/Systems/1");
  makeMachine(site, "m1", [](Metal3Machine& metal) {
    metal.metadata.annotations = {{std::string(api::capm3::annotation::clonedFromName), "workers"},
                                  {std::string(api::capm3::annotation::clonedFromGroupKind),
                                   "Metal3MachineTemplate.infrastructure.cluster.x-k8s.io"}};
  });
  REQUIRE(site.reaches("h1", "provisioned"));
  CHECK(site.host("h1")->spec.automatedCleaningMode == "metadata");
  const bool isDisabled = GENERATE(false, true);
  if (isDisabled)
    static_cast<void>(site.run(site.client().patch<api::capm3::v1beta2::Metal3MachineTemplate>(
        {"default", "workers"},
        json::parse(R"({"spec":{"template":{"spec":{"automatedCleaningMode":"disabled"}}}})"))));
  site.loop.clock.advance(1min);
  CHECK(site.host("h1")->spec.automatedCleaningMode == (isDisabled ? "disabled" : "metadata"));
  CHECK(site.run(site.client().remove<Metal3Machine>({"default", "m1"})));
  REQUIRE(site.reaches("h1", "available"));
  CHECK(json::boolAt(site.ironic.record("default~h1"), {"automated_clean"}) == !isDisabled);
}

}  // namespace ingot::tests
