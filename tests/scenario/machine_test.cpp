// Metal3Machines as `ingot-coordinator --embedded` runs their controller, with its hosts and a simulated Ironic.
#include "api/capm3/names.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "api/crd/crd.hpp"
#include "kube/core/error.hpp"
#include "kube/core/object_reference.hpp"
#include "kube/core/secret.hpp"
#include "kube/runtime/conditions.hpp"
#include "tests/coordinator/cluster/builders.hpp"
#include "tests/scenario/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using api::capm3::v1beta2::Metal3Machine;

// Unless it is served already.
void installKind(Site& site, json::Object definition) {
  const kube::Resource definitions{.group = "apiextensions.k8s.io",
                                   .version = "v1",
                                   .kind = "CustomResourceDefinition",
                                   .plural = "customresourcedefinitions",
                                   .namespaced = false};
  try {
    static_cast<void>(site.run(site.client().api().create(definitions, "", json::Value(std::move(definition)))));
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::alreadyExists) throw;
  }
}

template <class T>
T make(Site& site, T object) {
  object.metadata.namespace_ = "default";
  object.metadata.uid.clear();
  return site.run(site.client().create(std::move(object)));
}

template <class T>
void status(Site& site, const std::string& name, const std::string& mergePatch) {
  static_cast<void>(site.run(site.client().patchStatus<T>({"default", name}, json::parse(mergePatch))));
}

// What Cluster API makes of a MachineDeployment's replica, with its bootstrap data.
void makeMachine(Site& site, const std::string& name) {
  Machine machine = machineOf("c1", name);
  machine.metadata.labels[std::string(api::capm3::label::clusterName)] = "c1";
  machine.spec.bootstrap.configRef = {.apiGroup = "bootstrap.cluster.x-k8s.io", .kind = "KubeadmConfig", .name = name};
  machine.spec.bootstrap.dataSecretName = name + "-boot";
  const Machine owner = make(site, machine);
  status<Machine>(site, name, R"({"status":{"initialization":{"bootstrapDataSecretCreated":true}}})");
  kube::Secret data;
  data.metadata.name = name + "-boot";
  data.data["value"] = kube::SecretBytes("#cloud-config");
  make(site, data);
  Metal3Machine metal;
  metal.metadata.name = name;
  metal.metadata.labels[std::string(api::capm3::label::clusterName)] = "c1";
  metal.metadata.ownerReferences = {kube::ownerReferenceTo(owner, true)};
  metal.spec.image = {.url = "http://images/os.raw", .checksum = "abcd", .checksumType = "sha256", .diskFormat = "raw"};
  make(site, metal);
}

std::optional<Metal3Machine> metalMachine(Site& site, const std::string& name) {
  return site.run(site.client().get<Metal3Machine>({"default", name}));
}

}  // namespace

TEST_CASE("a machine takes a host through its whole life, and CAPM3_FAST_TRACK leaves it on", "[scenario]") {
  const bool fastTrack = GENERATE(false, true);
  Site site({}, Site::ClusterApi::served, {{"CAPM3_FAST_TRACK", fastTrack ? "true" : "false"}});
  installKind(site, api::crdOf<Cluster>());
  installKind(site, api::crdOf<Machine>());
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

}  // namespace ingot::tests
