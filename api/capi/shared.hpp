// What both versions of Cluster and Machine have in common (Cluster API's cluster.x-k8s.io).
#pragma once

#include "api/capi/legacy_condition.hpp"
#include "api/capm3/shared.hpp"
#include "kube/core/condition.hpp"

namespace ingot::api::capi {

using capm3::kDnsNamePattern;

inline constexpr std::string_view kConditionTypePattern =
    R"(^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$)";

inline json::FieldOptions& text(json::FieldOptions&& field, int most) { return field.minLength(1).maxLength(most); }

inline json::FieldOptions& int32(json::FieldOptions&& field) { return field.format("int32"); }

// A type that the health check may not look at: Cluster API derives it from the check itself.
inline json::FieldOptions& machineConditionType(json::FieldOptions&& field) {
  return field.requiredButOmitted()
      .minLength(1)
      .maxLength(316)
      .pattern(kConditionTypePattern)
      .rule("!(self in ['Ready','Available','HealthCheckSucceeded','OwnerRemediated','ExternallyRemediated'])",
            "type must not be one of: Ready, Available, HealthCheckSucceeded, OwnerRemediated, ExternallyRemediated")
      .doc("Type of the Machine's condition.");
}

// spec.availabilityGates and readinessGates: a further condition that counts.
struct ConditionGate {
  std::string conditionType, polarity;

  static void describe(auto& v) {
    text(v.field("conditionType", &ConditionGate::conditionType), 316)
        .requiredButOmitted()
        .pattern(kConditionTypePattern)
        .doc("Type of the condition.");
    v.field("polarity", &ConditionGate::polarity)
        .oneOf({"Positive", "Negative"})
        .doc("Positive: True is good; Negative: False is good.");
  }
  friend bool operator==(const ConditionGate&, const ConditionGate&) = default;
};

inline json::FieldOptions& gates(json::FieldOptions&& field) {
  return field.listMap({"conditionType"}).maxItems(32).doc("Further conditions that count, one of each type.");
}

struct MachineTaint {
  std::string key, value, effect, propagation;

  static void describe(auto& v) {
    using S = MachineTaint;
    text(v.field("key", &S::key), 317)
        .requiredButOmitted()
        .pattern(
            R"(^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$)")
        .doc("Key of the taint.");
    text(v.field("value", &S::value), 63)
        .pattern("^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$")
        .doc("Value of the taint.");
    v.field("effect", &S::effect)
        .requiredButOmitted()
        .oneOf({"NoSchedule", "PreferNoSchedule", "NoExecute"})
        .doc("What happens to pods that do not tolerate the taint.");
    v.field("propagation", &S::propagation)
        .requiredButOmitted()
        .oneOf({"Always", "OnInitialization"})
        .doc("Whether the node keeps the taint for good or gets it once.");
  }
  friend bool operator==(const MachineTaint&, const MachineTaint&) = default;
};

inline json::FieldOptions& taints(json::FieldOptions&& field) {
  return field.listMap({"key", "effect"}).minItems(1).maxItems(64).doc("Taints of the nodes.");
}

// Rolls out although nothing else has changed.
struct RolloutAfter {
  std::optional<base::WallTime> after;

  static void describe(auto& v) {
    v.schema("minProperties", 1);
    v.field("after", &RolloutAfter::after).doc("Machines older than this are replaced once the time has come.");
  }
  friend bool operator==(const RolloutAfter&, const RolloutAfter&) = default;
};

struct VersionCount {
  std::string version;
  int replicas = 0;

  static void describe(auto& v) {
    text(v.field("version", &VersionCount::version), 256).requiredButOmitted().doc("Kubernetes version.");
    int32(v.field("replicas", &VersionCount::replicas)).minimum(1).doc("Number of machines that have it.");
  }
  friend bool operator==(const VersionCount&, const VersionCount&) = default;
};

struct PlannedVersion {
  std::string version;

  static void describe(auto& v) {
    text(v.field("version", &PlannedVersion::version), 256).requiredButOmitted().doc("Kubernetes version.");
  }
  friend bool operator==(const PlannedVersion&, const PlannedVersion&) = default;
};

// Counts of a Cluster's control plane machines, and of its workers.
struct ReplicaStatus {
  std::optional<int> desiredReplicas, replicas, upToDateReplicas, readyReplicas, availableReplicas;
  std::vector<VersionCount> versions;
  std::vector<PlannedVersion> upgradePlan;

  static void describe(auto& v) {
    using S = ReplicaStatus;
    int32(v.field("desiredReplicas", &S::desiredReplicas)).doc("Number of machines that are wanted.");
    int32(v.field("replicas", &S::replicas)).doc("Number of machines.");
    int32(v.field("upToDateReplicas", &S::upToDateReplicas)).doc("Number of machines that are as specified.");
    int32(v.field("readyReplicas", &S::readyReplicas)).doc("Number of machines that are Ready.");
    int32(v.field("availableReplicas", &S::availableReplicas)).doc("Number of machines that are Available.");
    v.field("versions", &S::versions).listType("atomic").minItems(1).maxItems(32).doc("Versions that machines have.");
    v.field("upgradePlan", &S::upgradePlan)
        .listType("atomic")
        .minItems(1)
        .maxItems(32)
        .doc("Versions that the upgrade goes through, the last one included.");
  }
  friend bool operator==(const ReplicaStatus&, const ReplicaStatus&) = default;
};

inline json::FieldOptions& clusterPhase(json::FieldOptions&& field) {
  return field.oneOf({"Pending", "Provisioning", "Provisioned", "Deleting", "Failed", "Unknown"})
      .doc("Where the Cluster is in its life.");
}

inline json::FieldOptions& failureMessage(json::FieldOptions&& field) {
  return text(std::move(field), 10240).doc("Description of a failure that cannot be recovered from.");
}

inline json::FieldOptions& newConditions(json::FieldOptions&& field) {
  return field.listMap({"type"}).maxItems(32).doc("Conditions, one of each type.");
}

}  // namespace ingot::api::capi
