// Machine, cluster.x-k8s.io/v1beta2, complete: what the embedded API serves. Controllers read api/capi/machine.hpp.
#pragma once

#include "api/capi/machine_address.hpp"
#include "api/capi/node_info.hpp"
#include "api/capi/v1beta2/topology.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capi::v1beta2 {

struct Bootstrap {
  ContractReference configRef;
  std::optional<std::string> dataSecretName;

  static void describe(auto& v) {
    v.field("configRef", &Bootstrap::configRef).doc("Object that makes the bootstrap data.");
    v.field("dataSecretName", &Bootstrap::dataSecretName)
        .minLength(0)
        .maxLength(253)
        .doc("Secret with the bootstrap data.");
  }
  friend bool operator==(const Bootstrap&, const Bootstrap&) = default;
};

struct MachineSpec {
  std::string clusterName;
  Bootstrap bootstrap;
  ContractReference infrastructureRef;
  std::string version, providerID, failureDomain;
  std::optional<int> minReadySeconds;
  std::vector<ConditionGate> readinessGates;
  MachineDeletion deletion;
  std::vector<MachineTaint> taints;

  static void describe(auto& v) {
    using S = MachineSpec;
    v.doc("Desired state of the Machine.");
    text(v.field("clusterName", &S::clusterName), 63)
        .requiredButOmitted()
        .doc("Name of the Cluster that it belongs to.");
    v.field("bootstrap", &S::bootstrap).requiredButOmitted().doc("Where its bootstrap data come from.");
    v.field("infrastructureRef", &S::infrastructureRef)
        .requiredButOmitted()
        .doc("Object that provides the infrastructure.");
    text(v.field("version", &S::version), 256).doc("Kubernetes version of the node.");
    text(v.field("providerID", &S::providerID), 512).doc("Identity that the infrastructure provider gives it.");
    text(v.field("failureDomain", &S::failureDomain), 256).doc("Failure domain that it is to be in.");
    v1beta2::minReadySeconds(v.field("minReadySeconds", &S::minReadySeconds));
    v1beta2::readinessGates(v.field("readinessGates", &S::readinessGates));
    v.field("deletion", &S::deletion).doc("Limits of its deletion.");
    capi::taints(v.field("taints", &S::taints));
  }
  friend bool operator==(const MachineSpec&, const MachineSpec&) = default;
};

struct NodeReference {
  std::string name;

  static void describe(auto& v) {
    dnsName(v.field("name", &NodeReference::name)).requiredButOmitted().doc("Name of the node.");
  }
  friend bool operator==(const NodeReference&, const NodeReference&) = default;
};

struct MachineInitialization {
  std::optional<bool> infrastructureProvisioned, bootstrapDataSecretCreated;

  static void describe(auto& v) {
    using S = MachineInitialization;
    v.schema("minProperties", 1);
    v.field("infrastructureProvisioned", &S::infrastructureProvisioned)
        .doc("True once the infrastructure is provisioned; never reset.");
    v.field("bootstrapDataSecretCreated", &S::bootstrapDataSecretCreated)
        .doc("True once the bootstrap data are there; never reset.");
  }
  friend bool operator==(const MachineInitialization&, const MachineInitialization&) = default;
};

struct MachineStatus {
  std::vector<kube::Condition> conditions;
  MachineInitialization initialization;
  NodeReference nodeRef;
  std::optional<NodeInfo> nodeInfo;
  std::optional<base::WallTime> lastUpdated;
  std::vector<MachineAddress> addresses;
  std::string failureDomain, phase;
  std::optional<base::WallTime> certificatesExpiryDate;
  std::int64_t observedGeneration = 0;
  std::optional<MachineDeletionStatus> deletion;
  std::optional<Deprecated> deprecated;

  static void describe(auto& v) {
    using S = MachineStatus;
    v.doc("Observed state of the Machine.").schema("minProperties", 1);
    newConditions(v.field("conditions", &S::conditions));
    v.field("initialization", &S::initialization).doc("What has been reached for the first time.");
    v.field("nodeRef", &S::nodeRef).doc("Node of the machine.");
    v.field("nodeInfo", &S::nodeInfo).doc("What the node says of itself.");
    v.field("lastUpdated", &S::lastUpdated).doc("Time of the last change of the phase.");
    v.field("addresses", &S::addresses).listType("atomic").maxItems(256).doc("Addresses of the machine.");
    text(v.field("failureDomain", &S::failureDomain), 256).doc("Failure domain that it is in.");
    v.field("phase", &S::phase)
        .oneOf({"Pending", "Provisioning", "Provisioned", "Running", "Updating", "Deleting", "Deleted", "Failed",
                "Unknown"})
        .doc("Where the Machine is in its life.");
    v.field("certificatesExpiryDate", &S::certificatesExpiryDate).doc("When the first of its certificates expires.");
    v.field("observedGeneration", &S::observedGeneration)
        .format("int64")
        .minimum(1)
        .doc("Generation of the spec that the status is of.");
    v.field("deletion", &S::deletion).doc("How far its deletion is.");
    v.field("deprecated", &S::deprecated).doc("Fields of older API versions that this one no longer uses.");
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
    v.field("spec", &Machine::spec).requiredButOmitted();
    v.field("status", &Machine::status);
  }
  friend bool operator==(const Machine&, const Machine&) = default;
};

}  // namespace ingot::api::capi::v1beta2

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::v1beta2::Machine>();
