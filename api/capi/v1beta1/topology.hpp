// spec.topology of v1beta1: a Cluster that is made from a ClusterClass.
#pragma once

#include "api/capi/v1beta1/health_check.hpp"
#include "api/capi/v1beta1/topology_parts.hpp"

namespace ingot::api::capi::v1beta1 {

inline json::FieldOptions& minReadySeconds(json::FieldOptions&& field) {
  return int32(std::move(field)).doc("Seconds that a machine has to be Ready to be Available.");
}

struct ControlPlaneTopology : MachineDeletion {
  TopologyMetadata metadata;
  std::optional<int> replicas;
  RolloutAfter rollout;
  std::optional<TopologyHealthCheck> machineHealthCheck;
  std::vector<MachineTaint> taints;
  std::vector<ConditionGate> readinessGates;
  std::optional<VariableOverrides> variables;

  static void describe(auto& v) {
    using S = ControlPlaneTopology;
    v.field("metadata", &S::metadata).always().doc("Labels and annotations of the control plane and its machines.");
    int32(v.field("replicas", &S::replicas)).doc("Number of control plane machines.");
    v.field("rollout", &S::rollout).doc("When machines are replaced although nothing else has changed.");
    v.field("machineHealthCheck", &S::machineHealthCheck).doc("Health check of the control plane machines.");
    MachineDeletion::describe(v);
    capi::taints(v.field("taints", &S::taints));
    gates(v.field("readinessGates", &S::readinessGates));
    v.field("variables", &S::variables).doc("Variables of the control plane.");
  }
  friend bool operator==(const ControlPlaneTopology&, const ControlPlaneTopology&) = default;
};

// What MachineDeployments and MachinePools have in common.
inline json::FieldOptions& className(json::FieldOptions&& field) {
  return text(std::move(field), 256).required().doc("Name of the class in the ClusterClass.");
}
inline json::FieldOptions& topologyName(json::FieldOptions&& field) {
  return text(std::move(field), 63).required().doc("Name within the topology, from which the object's name is made.");
}

struct MachineDeploymentTopology : MachineDeletion {
  TopologyMetadata metadata;
  std::string class_, name;
  std::optional<std::string> failureDomain;
  std::optional<int> replicas;
  std::optional<TopologyHealthCheck> machineHealthCheck;
  std::vector<MachineTaint> taints;
  std::optional<int> minReadySeconds;
  std::vector<ConditionGate> readinessGates;
  RolloutAfter rollout;
  std::optional<Strategy> strategy;
  std::optional<VariableOverrides> variables;

  static void describe(auto& v) {
    using S = MachineDeploymentTopology;
    v.field("metadata", &S::metadata).always().doc("Labels and annotations of the MachineDeployment and its machines.");
    className(v.field("class", &S::class_));
    topologyName(v.field("name", &S::name));
    text(v.field("failureDomain", &S::failureDomain), 256).doc("Failure domain of the machines.");
    int32(v.field("replicas", &S::replicas)).doc("Number of machines.");
    v.field("machineHealthCheck", &S::machineHealthCheck).doc("Health check of the machines.");
    MachineDeletion::describe(v);
    capi::taints(v.field("taints", &S::taints));
    v1beta1::minReadySeconds(v.field("minReadySeconds", &S::minReadySeconds));
    gates(v.field("readinessGates", &S::readinessGates));
    v.field("rollout", &S::rollout).doc("When machines are replaced although nothing else has changed.");
    v.field("strategy", &S::strategy).doc("How machines are replaced.");
    v.field("variables", &S::variables).doc("Variables of the MachineDeployment.");
  }
  friend bool operator==(const MachineDeploymentTopology&, const MachineDeploymentTopology&) = default;
};

struct MachinePoolTopology : MachineDeletion {
  TopologyMetadata metadata;
  std::string class_, name;
  std::vector<std::string> failureDomains;
  std::vector<MachineTaint> taints;
  std::optional<int> minReadySeconds, replicas;
  std::optional<VariableOverrides> variables;

  static void describe(auto& v) {
    using S = MachinePoolTopology;
    v.field("metadata", &S::metadata).always().doc("Labels and annotations of the MachinePool.");
    className(v.field("class", &S::class_));
    topologyName(v.field("name", &S::name));
    v.field("failureDomains", &S::failureDomains)
        .maxItems(100)
        .itemSchema("minLength", 1)
        .itemSchema("maxLength", 256)
        .doc("Failure domains of the pool.");
    MachineDeletion::describe(v);
    capi::taints(v.field("taints", &S::taints));
    v1beta1::minReadySeconds(v.field("minReadySeconds", &S::minReadySeconds));
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
    v.field("machineDeployments", &S::machineDeployments)
        .listMap({"name"})
        .maxItems(2000)
        .doc("MachineDeployments of the Cluster.");
    v.field("machinePools", &S::machinePools).listMap({"name"}).maxItems(2000).doc("MachinePools of the Cluster.");
  }
  friend bool operator==(const WorkersTopology&, const WorkersTopology&) = default;
};

struct Topology {
  std::string class_, classNamespace, version;
  std::optional<base::WallTime> rolloutAfter;
  ControlPlaneTopology controlPlane;
  std::optional<WorkersTopology> workers;
  std::vector<TopologyVariable> variables;

  static void describe(auto& v) {
    using S = Topology;
    text(v.field("class", &S::class_), 253).required().doc("ClusterClass that the Cluster is made from.");
    text(v.field("classNamespace", &S::classNamespace), 63)
        .pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
        .doc("Namespace of the ClusterClass; the Cluster's when absent.");
    text(v.field("version", &S::version), 256).required().doc("Kubernetes version of the Cluster.");
    v.field("rolloutAfter", &S::rolloutAfter).doc("Never had an effect.");
    v.field("controlPlane", &S::controlPlane).always().doc("Control plane of the Cluster.");
    v.field("workers", &S::workers).doc("Workers of the Cluster.");
    v1beta1::variables(v.field("variables", &S::variables));
  }
  friend bool operator==(const Topology&, const Topology&) = default;
};

}  // namespace ingot::api::capi::v1beta1
