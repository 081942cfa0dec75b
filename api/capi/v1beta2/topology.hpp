// spec.topology: a Cluster that is made from a ClusterClass.
#pragma once

#include "api/capi/v1beta2/health_check.hpp"
#include "api/capi/v1beta2/topology_parts.hpp"

namespace ingot::api::capi::v1beta2 {

inline json::FieldOptions& readinessGates(json::FieldOptions&& field) { return gates(std::move(field)).minItems(1); }

inline json::FieldOptions& minReadySeconds(json::FieldOptions&& field) {
  return int32(std::move(field)).minimum(0).doc("Seconds that a machine has to be Ready to be Available.");
}

struct ClassReference {
  std::string name, namespace_;

  static void describe(auto& v) {
    dnsName(v.field("name", &ClassReference::name)).requiredButOmitted().doc("Name of the ClusterClass.");
    text(v.field("namespace", &ClassReference::namespace_), 63)
        .pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
        .doc("Namespace of the ClusterClass; the Cluster's when absent.");
  }
  friend bool operator==(const ClassReference&, const ClassReference&) = default;
};

struct ControlPlaneTopology {
  TopologyMetadata metadata;
  std::optional<int> replicas;
  RolloutAfter rollout;
  TopologyHealthCheck<TopologyRemediation> healthCheck;
  MachineDeletion deletion;
  std::vector<MachineTaint> taints;
  std::vector<ConditionGate> readinessGates;
  VariableOverrides variables;

  static void describe(auto& v) {
    using S = ControlPlaneTopology;
    v.schema("minProperties", 1);
    v.field("metadata", &S::metadata).doc("Labels and annotations of the control plane and its machines.");
    int32(v.field("replicas", &S::replicas)).doc("Number of control plane machines.");
    v.field("rollout", &S::rollout).doc("When machines are replaced although nothing else has changed.");
    v.field("healthCheck", &S::healthCheck).doc("Health check of the control plane machines.");
    v.field("deletion", &S::deletion).doc("Limits of the deletion of machines.");
    capi::taints(v.field("taints", &S::taints));
    v1beta2::readinessGates(v.field("readinessGates", &S::readinessGates));
    v.field("variables", &S::variables).doc("Variables of the control plane.");
  }
  friend bool operator==(const ControlPlaneTopology&, const ControlPlaneTopology&) = default;
};

// What MachineDeployments and MachinePools have in common.
inline json::FieldOptions& className(json::FieldOptions&& field) {
  return text(std::move(field), 256).requiredButOmitted().doc("Name of the class in the ClusterClass.");
}
inline json::FieldOptions& topologyName(json::FieldOptions&& field) {
  return text(std::move(field), 63)
      .requiredButOmitted()
      .pattern(kDnsNamePattern)
      .doc("Name within the topology, from which the object's name is made.");
}

struct MachineDeploymentTopology {
  TopologyMetadata metadata;
  std::string class_, name, failureDomain;
  std::optional<int> replicas;
  TopologyHealthCheck<WorkerRemediation> healthCheck;
  WorkerDeletion deletion;
  std::vector<MachineTaint> taints;
  std::optional<int> minReadySeconds;
  std::vector<ConditionGate> readinessGates;
  WorkerRollout rollout;
  VariableOverrides variables;

  static void describe(auto& v) {
    using S = MachineDeploymentTopology;
    v.field("metadata", &S::metadata).doc("Labels and annotations of the MachineDeployment and its machines.");
    className(v.field("class", &S::class_));
    topologyName(v.field("name", &S::name));
    text(v.field("failureDomain", &S::failureDomain), 256).doc("Failure domain of the machines.");
    int32(v.field("replicas", &S::replicas)).doc("Number of machines.");
    v.field("healthCheck", &S::healthCheck).doc("Health check of the machines.");
    v.field("deletion", &S::deletion).doc("Order and limits of the deletion of machines.");
    capi::taints(v.field("taints", &S::taints));
    v1beta2::minReadySeconds(v.field("minReadySeconds", &S::minReadySeconds));
    v1beta2::readinessGates(v.field("readinessGates", &S::readinessGates));
    v.field("rollout", &S::rollout).doc("When and how machines are replaced.");
    v.field("variables", &S::variables).doc("Variables of the MachineDeployment.");
  }
  friend bool operator==(const MachineDeploymentTopology&, const MachineDeploymentTopology&) = default;
};

struct MachinePoolTopology {
  TopologyMetadata metadata;
  std::string class_, name;
  std::vector<std::string> failureDomains;
  MachineDeletion deletion;
  std::vector<MachineTaint> taints;
  std::optional<int> minReadySeconds, replicas;
  VariableOverrides variables;

  static void describe(auto& v) {
    using S = MachinePoolTopology;
    v.field("metadata", &S::metadata).doc("Labels and annotations of the MachinePool.");
    className(v.field("class", &S::class_));
    topologyName(v.field("name", &S::name));
    v.field("failureDomains", &S::failureDomains)
        .listType("atomic")
        .minItems(1)
        .maxItems(100)
        .itemSchema("minLength", 1)
        .itemSchema("maxLength", 256)
        .doc("Failure domains of the pool.");
    v.field("deletion", &S::deletion).doc("Limits of the deletion of machines.");
    capi::taints(v.field("taints", &S::taints));
    v1beta2::minReadySeconds(v.field("minReadySeconds", &S::minReadySeconds));
    int32(v.field("replicas", &S::replicas)).doc("Number of machines.");
    v.field("variables", &S::variables).doc("Variables of the MachinePool.");
  }
  friend bool operator==(const MachinePoolTopology&, const MachinePoolTopology&) = default;
};

struct WorkersTopology {
  std::vector<MachineDeploymentTopology> machineDeployments;
  std::vector<MachinePoolTopology> machinePools;

  static void describe(auto& v) {
    using S = WorkersTopology;
    v.schema("minProperties", 1);
    v.field("machineDeployments", &S::machineDeployments)
        .listMap({"name"})
        .minItems(1)
        .maxItems(2000)
        .doc("MachineDeployments of the Cluster.");
    v.field("machinePools", &S::machinePools)
        .listMap({"name"})
        .minItems(1)
        .maxItems(2000)
        .doc("MachinePools of the Cluster.");
  }
  friend bool operator==(const WorkersTopology&, const WorkersTopology&) = default;
};

struct Topology {
  ClassReference classRef;
  std::string version;
  ControlPlaneTopology controlPlane;
  WorkersTopology workers;
  std::vector<TopologyVariable> variables;

  static void describe(auto& v) {
    using S = Topology;
    v.field("classRef", &S::classRef).requiredButOmitted().doc("ClusterClass that the Cluster is made from.");
    text(v.field("version", &S::version), 256).requiredButOmitted().doc("Kubernetes version of the Cluster.");
    v.field("controlPlane", &S::controlPlane).doc("Control plane of the Cluster.");
    v.field("workers", &S::workers).doc("Workers of the Cluster.");
    v1beta2::variables(v.field("variables", &S::variables));
  }
  friend bool operator==(const Topology&, const Topology&) = default;
};

}  // namespace ingot::api::capi::v1beta2
