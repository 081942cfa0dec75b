// Machine, cluster.x-k8s.io/v1beta1.
#pragma once

#include "api/capi/machine_address.hpp"
#include "api/capi/node_info.hpp"
#include "api/capi/v1beta1/references.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capi::v1beta1 {

struct Bootstrap {
  std::optional<kube::ObjectReference> configRef;
  std::optional<std::string> dataSecretName;

  static void describe(auto& v) {
    objectReference(v.field("configRef", &Bootstrap::configRef)).doc("Object that makes the bootstrap data.");
    v.field("dataSecretName", &Bootstrap::dataSecretName)
        .minLength(0)
        .maxLength(253)
        .doc("Secret with the bootstrap data.");
  }
  friend bool operator==(const Bootstrap&, const Bootstrap&) = default;
};

struct MachineSpec : MachineDeletion {
  std::string clusterName;
  Bootstrap bootstrap;
  kube::ObjectReference infrastructureRef;
  std::optional<std::string> version, providerID, failureDomain;
  std::vector<ConditionGate> readinessGates;
  std::vector<MachineTaint> taints;

  static void describe(auto& v) {
    using S = MachineSpec;
    v.doc("Desired state of the Machine.");
    text(v.field("clusterName", &S::clusterName), 63).required().doc("Name of the Cluster that it belongs to.");
    v.field("bootstrap", &S::bootstrap).required().doc("Where its bootstrap data come from.");
    objectReference(v.field("infrastructureRef", &S::infrastructureRef))
        .required()
        .doc("Object that provides the infrastructure.");
    text(v.field("version", &S::version), 256).doc("Kubernetes version of the node.");
    text(v.field("providerID", &S::providerID), 512).doc("Identity that the infrastructure provider gives it.");
    text(v.field("failureDomain", &S::failureDomain), 256).doc("Failure domain that it is to be in.");
    gates(v.field("readinessGates", &S::readinessGates));
    MachineDeletion::describe(v);
    capi::taints(v.field("taints", &S::taints));
  }
  friend bool operator==(const MachineSpec&, const MachineSpec&) = default;
};

// status.v1beta2: what the next version has in another form.
struct NewerMachineStatus {
  std::vector<kube::Condition> conditions;

  static void describe(auto& v) { newConditions(v.field("conditions", &NewerMachineStatus::conditions)); }
  friend bool operator==(const NewerMachineStatus&, const NewerMachineStatus&) = default;
};

struct MachineStatus {
  std::optional<kube::ObjectReference> nodeRef;
  std::optional<NodeInfo> nodeInfo;
  std::optional<base::WallTime> lastUpdated;
  std::optional<std::string> failureReason, failureMessage;
  std::vector<MachineAddress> addresses;
  std::string phase;
  std::optional<base::WallTime> certificatesExpiryDate;
  bool bootstrapReady = false, infrastructureReady = false;
  std::int64_t observedGeneration = 0;
  std::vector<LegacyCondition> conditions;
  std::optional<MachineDeletionStatus> deletion;
  std::optional<NewerMachineStatus> v1beta2;

  static void describe(auto& v) {
    using S = MachineStatus;
    v.doc("Observed state of the Machine.");
    objectReference(v.field("nodeRef", &S::nodeRef)).doc("Node of the machine.");
    v.field("nodeInfo", &S::nodeInfo).doc("What the node says of itself.");
    v.field("lastUpdated", &S::lastUpdated).doc("Time of the last change of the phase.");
    v.field("failureReason", &S::failureReason)
        .doc("Machine-readable reason of a failure that cannot be recovered from.");
    capi::failureMessage(v.field("failureMessage", &S::failureMessage));
    v.field("addresses", &S::addresses).doc("Addresses of the machine.");
    v.field("phase", &S::phase)
        .oneOf({"Pending", "Provisioning", "Provisioned", "Running", "Deleting", "Deleted", "Failed", "Unknown"})
        .doc("Where the Machine is in its life.");
    v.field("certificatesExpiryDate", &S::certificatesExpiryDate).doc("When the first of its certificates expires.");
    v.field("bootstrapReady", &S::bootstrapReady).always().doc("True once the bootstrap data are there.");
    v.field("infrastructureReady", &S::infrastructureReady).always().doc("True once the infrastructure is there.");
    v.field("observedGeneration", &S::observedGeneration)
        .format("int64")
        .doc("Generation of the spec that the status is of.");
    v.field("conditions", &S::conditions).doc("Conditions in the v1beta1 form of Cluster API.");
    v.field("deletion", &S::deletion).doc("How far its deletion is.");
    v.field("v1beta2", &S::v1beta2).doc("Status in the form of the next API version.");
  }
  friend bool operator==(const MachineStatus&, const MachineStatus&) = default;
};

struct Machine {
  kube::ObjectMeta metadata;
  MachineSpec spec;
  MachineStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("A machine that becomes a node of a Cluster.");
    v.field("metadata", &Machine::metadata);
    v.field("spec", &Machine::spec).always();
    v.field("status", &Machine::status).always();
  }
  friend bool operator==(const Machine&, const Machine&) = default;
};

}  // namespace ingot::api::capi::v1beta1

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::v1beta1::Machine>();
