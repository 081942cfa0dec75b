// References and small parts that Cluster and Machine of v1beta2 share.
#pragma once

#include "api/capi/shared.hpp"

namespace ingot::api::capi::v1beta2 {

inline json::FieldOptions& kindName(json::FieldOptions&& field) {
  return text(std::move(field), 63).pattern("^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$").doc("Kind of the object.");
}

inline json::FieldOptions& dnsName(json::FieldOptions&& field) {
  return text(std::move(field), 253).pattern(kDnsNamePattern);
}

// A contract-versioned reference: the version follows from the CRD's labels.
struct ContractReference {
  std::string apiGroup, kind, name;

  static void describe(auto& v) {
    using S = ContractReference;
    dnsName(v.field("apiGroup", &S::apiGroup)).requiredButOmitted().doc("API group of the object.");
    kindName(v.field("kind", &S::kind)).requiredButOmitted();
    dnsName(v.field("name", &S::name)).requiredButOmitted().doc("Name of the object.");
  }
  friend bool operator==(const ContractReference&, const ContractReference&) = default;
};

// After which time a Machine's deletion goes on without the node's agreement. 0: never.
struct MachineDeletion {
  std::optional<int> nodeDrainTimeoutSeconds, nodeVolumeDetachTimeoutSeconds, nodeDeletionTimeoutSeconds;

  static void describe(auto& v) {
    using S = MachineDeletion;
    v.schema("minProperties", 1);
    int32(v.field("nodeDrainTimeoutSeconds", &S::nodeDrainTimeoutSeconds))
        .minimum(0)
        .doc("Seconds that the drain of the node may take; 0: no limit.");
    int32(v.field("nodeVolumeDetachTimeoutSeconds", &S::nodeVolumeDetachTimeoutSeconds))
        .minimum(0)
        .doc("Seconds to wait for volumes to be detached; 0: no limit.");
    int32(v.field("nodeDeletionTimeoutSeconds", &S::nodeDeletionTimeoutSeconds))
        .minimum(0)
        .doc("Seconds to try to delete the node; 0: no limit.");
  }
  friend bool operator==(const MachineDeletion&, const MachineDeletion&) = default;
};

// status.deprecated.v1beta1: what the version before said in other places.
struct LegacyStatus {
  std::vector<LegacyCondition> conditions;
  std::optional<std::string> failureReason, failureMessage;

  static void describe(auto& v) {
    v.field("conditions", &LegacyStatus::conditions).doc("Conditions in the form of v1beta1.");
    v.field("failureReason", &LegacyStatus::failureReason)
        .doc("Machine-readable reason of a failure that cannot be recovered from.");
    capi::failureMessage(v.field("failureMessage", &LegacyStatus::failureMessage));
  }
  friend bool operator==(const LegacyStatus&, const LegacyStatus&) = default;
};

struct Deprecated {
  std::optional<LegacyStatus> v1beta1;

  static void describe(auto& v) {
    v.field("v1beta1", &Deprecated::v1beta1).doc("Fields of v1beta1 that v1beta2 no longer has.");
  }
  friend bool operator==(const Deprecated&, const Deprecated&) = default;
};

}  // namespace ingot::api::capi::v1beta2
