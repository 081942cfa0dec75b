// Machine, cluster.x-k8s.io/v1beta2, as controllers see it: the fields that they read or patch, small where thousands
// are cached. The whole kind is api/capi/v1beta2/machine.hpp. Changes leave as patches, which keep every other field;
// who creates or replaces a Machine takes the whole kind.
#pragma once

#include "api/capi/legacy_condition.hpp"
#include "api/capi/machine_address.hpp"
#include "kube/core/condition.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capi {

// A contract-versioned reference: the version follows from the CRD's labels. Absent when the name is empty.
struct ContractReference {
  std::string apiGroup, kind, name;

  static void describe(auto& v) {
    v.field("apiGroup", &ContractReference::apiGroup).required();
    v.field("kind", &ContractReference::kind).required();
    v.field("name", &ContractReference::name).required();
  }
  friend bool operator==(const ContractReference&, const ContractReference&) = default;
};

struct Bootstrap {
  ContractReference configRef;
  std::optional<std::string> dataSecretName;

  static void describe(auto& v) {
    v.field("configRef", &Bootstrap::configRef);
    v.field("dataSecretName", &Bootstrap::dataSecretName);
  }
  friend bool operator==(const Bootstrap&, const Bootstrap&) = default;
};

struct MachineSpec {
  std::string clusterName;
  Bootstrap bootstrap;
  ContractReference infrastructureRef;
  std::string version, providerID, failureDomain;

  static void describe(auto& v) {
    using S = MachineSpec;
    v.field("clusterName", &S::clusterName).required();
    v.field("bootstrap", &S::bootstrap).required();
    v.field("infrastructureRef", &S::infrastructureRef).required();
    v.field("version", &S::version);
    v.field("providerID", &S::providerID);
    v.field("failureDomain", &S::failureDomain);
  }
  friend bool operator==(const MachineSpec&, const MachineSpec&) = default;
};

// Absent when the name is empty.
struct NodeReference {
  std::string name;

  static void describe(auto& v) { v.field("name", &NodeReference::name).required(); }
  friend bool operator==(const NodeReference&, const NodeReference&) = default;
};

// status.deprecated.v1beta1 of the kinds of Cluster API, as far as we touch it.
struct LegacyStatus {
  std::vector<LegacyCondition> conditions;

  static void describe(auto& v) { v.field("conditions", &LegacyStatus::conditions); }
  friend bool operator==(const LegacyStatus&, const LegacyStatus&) = default;
};

struct Deprecated {
  LegacyStatus v1beta1;

  static void describe(auto& v) { v.field("v1beta1", &Deprecated::v1beta1); }
  friend bool operator==(const Deprecated&, const Deprecated&) = default;
};

struct MachineInitialization {
  std::optional<bool> infrastructureProvisioned, bootstrapDataSecretCreated;

  static void describe(auto& v) {
    v.field("infrastructureProvisioned", &MachineInitialization::infrastructureProvisioned);
    v.field("bootstrapDataSecretCreated", &MachineInitialization::bootstrapDataSecretCreated);
  }
  friend bool operator==(const MachineInitialization&, const MachineInitialization&) = default;
};

struct MachineStatus {
  std::vector<kube::Condition> conditions;
  MachineInitialization initialization;
  NodeReference nodeRef;
  std::vector<MachineAddress> addresses;
  std::string phase, failureDomain;
  Deprecated deprecated;

  static void describe(auto& v) {
    using S = MachineStatus;
    v.field("conditions", &S::conditions);
    v.field("initialization", &S::initialization);
    v.field("nodeRef", &S::nodeRef);
    v.field("addresses", &S::addresses);
    v.field("phase", &S::phase);
    v.field("failureDomain", &S::failureDomain);
    v.field("deprecated", &S::deprecated);
  }
  friend bool operator==(const MachineStatus&, const MachineStatus&) = default;
};

struct Machine {
  kube::ObjectMeta metadata;
  MachineSpec spec;
  MachineStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.field("metadata", &Machine::metadata);
    v.field("spec", &Machine::spec);
    v.field("status", &Machine::status);
  }
  friend bool operator==(const Machine&, const Machine&) = default;
};

}  // namespace ingot::api::capi

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::Machine>();
