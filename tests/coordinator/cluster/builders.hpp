// A Metal3Cluster, its Cluster and Machines for tests.
#pragma once

#include "coordinator/cluster/decision.hpp"

#include "api/capm3/names.hpp"

namespace ingot::tests {

using api::capi::Cluster;
using api::capi::Machine;
using api::capm3::v1beta2::Metal3Cluster;

inline Cluster clusterNamed(std::string name) {
  Cluster cluster;
  cluster.metadata = {.name = std::move(name), .namespace_ = "metal", .uid = "cluster-uid"};
  cluster.spec.infrastructureRef = {
      .apiGroup = std::string(api::capm3::kGroup), .kind = "Metal3Cluster", .name = cluster.metadata.name};
  return cluster;
}

// Of Cluster "c1".
inline Metal3Cluster metalCluster(std::string ownerUid = "cluster-uid") {
  Metal3Cluster metal;
  metal.metadata = {.name = "c1", .namespace_ = "metal", .uid = "metal-uid", .generation = 1};
  metal.metadata.labels[std::string(api::capm3::label::clusterName)] = "c1";
  metal.metadata.ownerReferences.push_back(
      {.apiVersion = "cluster.x-k8s.io/v1beta2", .kind = "Cluster", .name = "c1", .uid = std::move(ownerUid)});
  metal.spec.controlPlaneEndpoint = {.host = "192.0.2.10", .port = 6443};
  return metal;
}

inline Machine machineOf(std::string cluster, std::string name) {
  Machine machine;
  machine.metadata = {.name = std::move(name), .namespace_ = "metal"};
  machine.spec.clusterName = std::move(cluster);
  machine.spec.bootstrap.dataSecretName = machine.metadata.name;
  machine.spec.infrastructureRef = {
      .apiGroup = std::string(api::capm3::kGroup), .kind = "Metal3Machine", .name = machine.metadata.name};
  return machine;
}

}  // namespace ingot::tests
