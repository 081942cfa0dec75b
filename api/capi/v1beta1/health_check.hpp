// spec.topology of v1beta1: when a machine counts as unhealthy, and what is done then.
#pragma once

#include "api/capi/v1beta1/references.hpp"

namespace ingot::api::capi::v1beta1 {

struct UnhealthyCondition {
  std::string type, status;
  Duration timeout;

  static void describe(auto& v) {
    using S = UnhealthyCondition;
    v.field("type", &S::type).required().minLength(1).doc("Type of the node's condition.");
    v.field("status", &S::status).required().minLength(1).doc("Status that is unhealthy.");
    v.field("timeout", &S::timeout).requiredButOmitted().doc("How long the condition has to have the status.");
  }
  friend bool operator==(const UnhealthyCondition&, const UnhealthyCondition&) = default;
};

struct UnhealthyMachineCondition {
  std::string type, status;
  Duration timeout;

  static void describe(auto& v) {
    using S = UnhealthyMachineCondition;
    machineConditionType(v.field("type", &S::type));
    v.field("status", &S::status)
        .requiredButOmitted()
        .oneOf({"True", "False", "Unknown"})
        .doc("Status that is unhealthy.");
    v.field("timeout", &S::timeout).requiredButOmitted().doc("How long the condition has to have the status.");
  }
  friend bool operator==(const UnhealthyMachineCondition&, const UnhealthyMachineCondition&) = default;
};

struct TopologyHealthCheck {
  std::optional<bool> enable;
  std::vector<UnhealthyCondition> unhealthyConditions;
  std::vector<UnhealthyMachineCondition> unhealthyMachineConditions;
  std::optional<json::IntOrString> maxUnhealthy;
  std::optional<std::string> unhealthyRange;
  Duration nodeStartupTimeout;
  std::optional<kube::ObjectReference> remediationTemplate;

  static void describe(auto& v) {
    using S = TopologyHealthCheck;
    v.field("enable", &S::enable).doc("Whether machines are checked; the class decides when it is absent.");
    v.field("unhealthyConditions", &S::unhealthyConditions)
        .maxItems(100)
        .doc("Conditions of the node, any of which makes the machine unhealthy.");
    v.field("unhealthyMachineConditions", &S::unhealthyMachineConditions)
        .listType("atomic")
        .minItems(1)
        .maxItems(100)
        .doc("Conditions of the Machine, any of which makes it unhealthy.");
    v.field("maxUnhealthy", &S::maxUnhealthy)
        .doc("Remediates while at most so many machines are unhealthy: a number or a percentage.");
    text(v.field("unhealthyRange", &S::unhealthyRange), 32)
        .pattern(R"(^\[[0-9]+-[0-9]+\]$)")
        .doc("Remediates while the number of unhealthy machines is in this range: [3-5].");
    v.field("nodeStartupTimeout", &S::nodeStartupTimeout)
        .doc("After which time a machine without a node is unhealthy; 0: never.");
    objectReference(v.field("remediationTemplate", &S::remediationTemplate))
        .doc("Template of an external remediation.");
  }
  friend bool operator==(const TopologyHealthCheck&, const TopologyHealthCheck&) = default;
};

}  // namespace ingot::api::capi::v1beta1
