// What Cluster API's managers and their user write beside a Site, in namespace "default".
#pragma once

#include "api/capm3/names.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "kube/core/object_reference.hpp"
#include "kube/core/secret.hpp"
#include "tests/coordinator/cluster/builders.hpp"
#include "tests/scenario/site.hpp"

namespace ingot::tests {

using api::capm3::v1beta2::Metal3Machine;

template <class T>
T make(Site& site, T object) {
  object.metadata.namespace_ = "default";
  object.metadata.uid.clear();
  return site.run(site.client().create(std::move(object)));
}

// A kind that the API did not serve before.
inline void install(Site& site, json::Object definition) {
  const kube::Resource definitions{.group = "apiextensions.k8s.io",
                                   .version = "v1",
                                   .kind = "CustomResourceDefinition",
                                   .plural = "customresourcedefinitions",
                                   .namespaced = false};
  static_cast<void>(site.run(site.client().api().create(definitions, "", json::Value(std::move(definition)))));
}

template <class T>
void status(Site& site, const std::string& name, const std::string& mergePatch) {
  static_cast<void>(site.run(site.client().patchStatus<T>({"default", name}, json::parse(mergePatch))));
}

// What Cluster API makes of a MachineDeployment's replica, with its bootstrap data.
inline void makeMachine(Site& site, const std::string& name, const std::function<void(Metal3Machine&)>& change = {}) {
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
  if (change) change(metal);
  make(site, metal);
}

// Cluster c1 whose infrastructure is ready.
inline void makeCluster(Site& site, const std::function<void(Metal3Cluster&)>& change = {}) {
  Metal3Cluster metal = metalCluster(make(site, clusterNamed("c1")).metadata.uid);
  if (change) change(metal);
  make(site, metal);
  status<Cluster>(site, "c1", R"({"status":{"initialization":{"infrastructureProvisioned":true}}})");
}

}  // namespace ingot::tests
