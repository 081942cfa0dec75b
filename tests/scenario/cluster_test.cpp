// Metal3Clusters as `ingot-coordinator --embedded` runs their controller: beside Cluster API's kinds, which come later.
#include "api/crd/crd.hpp"
#include "tests/coordinator/cluster/builders.hpp"
#include "tests/scenario/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;

void install(Site& site, json::Object definition) {
  const kube::Resource definitions{.group = "apiextensions.k8s.io",
                                   .version = "v1",
                                   .kind = "CustomResourceDefinition",
                                   .plural = "customresourcedefinitions",
                                   .namespaced = false};
  static_cast<void>(site.run(site.client().api().create(definitions, "", json::Value(std::move(definition)))));
}

template <class T>
T create(Site& site, T object) {
  object.metadata.namespace_ = "default";
  object.metadata.uid.clear();
  return site.run(site.client().create(std::move(object)));
}

std::optional<Metal3Cluster> metal(Site& site) { return site.run(site.client().get<Metal3Cluster>({"default", "c1"})); }

}  // namespace

TEST_CASE("a Metal3Cluster becomes ready once Cluster API is there, and goes after its Machines", "[scenario]") {
  Site site;
  site.loop.clock.advance(10s);
  install(site, api::crdOf<Cluster>());
  install(site, api::crdOf<Machine>());
  site.loop.clock.advance(10s);
  create(site, metalCluster(create(site, clusterNamed("c1")).metadata.uid));
  create(site, machineOf("c1", "m0"));
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
