// Metal3Clusters as `ingot-coordinator --embedded` runs their controller: beside the Clusters and Machines that it
// serves itself, or Cluster API's, which come later.
#include "api/capi/v1beta1/cluster.hpp"
#include "api/capi/v1beta2/cluster.hpp"
#include "api/capi/v1beta2/machine.hpp"
#include "api/crd/crd.hpp"
#include "tests/scenario/cluster_api.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;

std::optional<Metal3Cluster> metal(Site& site) { return site.run(site.client().get<Metal3Cluster>({"default", "c1"})); }

}  // namespace

TEST_CASE("Clusters and Machines are served without Cluster API, and a Metal3Cluster goes with them", "[scenario]") {
  Site site;
  api::capi::v1beta2::Cluster cluster;
  cluster.metadata.name = "c1";
  cluster.spec.infrastructureRef = {std::string(api::capm3::kGroup), "Metal3Cluster", "c1"};
  cluster.spec.clusterNetwork.pods.cidrBlocks = {"192.168.0.0/18"};
  const std::string uid = make(site, cluster).metadata.uid;
  make(site, metalCluster(uid));
  site.loop.clock.advance(10s);
  REQUIRE(metal(site));
  CHECK(metal(site)->status.initialization.provisioned == true);

  const auto older = site.run(site.client().get<api::capi::v1beta1::Cluster>({"default", "c1"}));
  REQUIRE(older);
  CHECK(older->spec.infrastructureRef->apiVersion == "infrastructure.cluster.x-k8s.io/v1beta2");
  CHECK(older->spec.clusterNetwork->pods->cidrBlocks == cluster.spec.clusterNetwork.pods.cidrBlocks);

  make(site, machineOf("c1", "m0"));
  site.run(site.client().patch<Machine>({"default", "m0"}, json::parse(R"({"spec":{"minReadySeconds":7}})")));
  CHECK_THROWS_AS(site.run(site.client().patch<Machine>({"default", "m0"}, json::parse(R"({"spec":{"taints":[]}})"))),
                  kube::Error);
  CHECK(site.run(site.client().get<api::capi::v1beta2::Machine>({"default", "m0"}))->spec.minReadySeconds == 7);
  CHECK(site.run(site.client().remove<Cluster>({"default", "c1"})));  // garbage collection deletes what it owns
  site.loop.clock.advance(10s);
  CHECK(metal(site));
  CHECK(site.run(site.client().remove<Machine>({"default", "m0"})));
  site.loop.clock.advance(10s);
  CHECK_FALSE(metal(site));
}

TEST_CASE("a Metal3Cluster becomes ready once Cluster API is there, and goes after its Machines", "[scenario]") {
  Site site({}, Site::ClusterApi::absent);
  site.loop.clock.advance(10s);
  install(site, api::crdOf<Cluster>());
  install(site, api::crdOf<Machine>());
  site.loop.clock.advance(10s);
  make(site, metalCluster(make(site, clusterNamed("c1")).metadata.uid));
  make(site, machineOf("c1", "m0"));
  site.loop.clock.advance(40s);  // a kind that is absent is looked for each half minute
  REQUIRE(metal(site));
  CHECK(metal(site)->status.initialization.provisioned == true);
  CHECK(site.run(site.client().remove<Metal3Cluster>({"default", "c1"})));
  site.loop.clock.advance(10s);
  CHECK(metal(site));
  CHECK(site.run(site.client().remove<Machine>({"default", "m0"})));
  site.loop.clock.advance(10s);
  CHECK_FALSE(metal(site));
}

}  // namespace ingot::tests
