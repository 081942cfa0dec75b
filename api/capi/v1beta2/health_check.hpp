// spec.topology: when a machine counts as unhealthy, and what is done then.
#pragma once

#include "api/capi/v1beta2/references.hpp"

namespace ingot::api::capi::v1beta2 {

struct UnhealthyNodeCondition {
  std::string type, status;
  std::optional<int> timeoutSeconds;

  static void describe(auto& v) {
    using S = UnhealthyNodeCondition;
    v.field("type", &S::type).requiredButOmitted().minLength(1).doc("Type of the node's condition.");
    v.field("status", &S::status).requiredButOmitted().minLength(1).doc("Status that is unhealthy.");
    int32(v.field("timeoutSeconds", &S::timeoutSeconds))
        .requiredButOmitted()
        .minimum(0)
        .doc("Seconds that the condition has to have the status.");
  }
  friend bool operator==(const UnhealthyNodeCondition&, const UnhealthyNodeCondition&) = default;
};

struct UnhealthyMachineCondition {
  std::string type, status;
  std::optional<int> timeoutSeconds;

  static void describe(auto& v) {
    using S = UnhealthyMachineCondition;
    machineConditionType(v.field("type", &S::type));
    v.field("status", &S::status)
        .requiredButOmitted()
        .oneOf({"True", "False", "Unknown"})
        .doc("Status that is unhealthy.");
    int32(v.field("timeoutSeconds", &S::timeoutSeconds))
        .requiredButOmitted()
        .minimum(0)
        .doc("Seconds that the condition has to have the status.");
  }
  friend bool operator==(const UnhealthyMachineCondition&, const UnhealthyMachineCondition&) = default;
};

struct HealthChecks {
  std::optional<int> nodeStartupTimeoutSeconds;
  std::vector<UnhealthyNodeCondition> unhealthyNodeConditions;
  std::vector<UnhealthyMachineCondition> unhealthyMachineConditions;

  static void describe(auto& v) {
    using S = HealthChecks;
    v.schema("minProperties", 1);
    int32(v.field("nodeStartupTimeoutSeconds", &S::nodeStartupTimeoutSeconds))
        .minimum(0)
        .doc("Seconds after which a machine without a node is unhealthy; 0: never.");
    v.field("unhealthyNodeConditions", &S::unhealthyNodeConditions)
        .listType("atomic")
        .minItems(1)
        .maxItems(100)
        .doc("Conditions of the node, any of which makes the machine unhealthy.");
    v.field("unhealthyMachineConditions", &S::unhealthyMachineConditions)
        .listType("atomic")
        .minItems(1)
        .maxItems(100)
        .doc("Conditions of the Machine, any of which makes it unhealthy.");
  }
  friend bool operator==(const HealthChecks&, const HealthChecks&) = default;
};

struct RemediationTrigger {
  std::optional<json::IntOrString> unhealthyLessThanOrEqualTo;
  std::string unhealthyInRange;

  static void describe(auto& v) {
    using S = RemediationTrigger;
    v.schema("minProperties", 1);
    v.field("unhealthyLessThanOrEqualTo", &S::unhealthyLessThanOrEqualTo)
        .doc("Remediates while at most so many machines are unhealthy: a number or a percentage.");
    text(v.field("unhealthyInRange", &S::unhealthyInRange), 32)
        .pattern(R"(^\[[0-9]+-[0-9]+\]$)")
        .doc("Remediates while the number of unhealthy machines is in this range: [3-5].");
  }
  friend bool operator==(const RemediationTrigger&, const RemediationTrigger&) = default;
};

struct RemediationTemplateReference {
  std::string kind, name, apiVersion;

  static void describe(auto& v) {
    using S = RemediationTemplateReference;
    kindName(v.field("kind", &S::kind)).requiredButOmitted();
    dnsName(v.field("name", &S::name)).requiredButOmitted().doc("Name of the template.");
    text(v.field("apiVersion", &S::apiVersion), 317)
        .requiredButOmitted()
        .pattern(R"(^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/[a-z]([-a-z0-9]*[a-z0-9])?$)")
        .doc("API group and version of the template.");
  }
  friend bool operator==(const RemediationTemplateReference&, const RemediationTemplateReference&) = default;
};

struct TopologyRemediation {
  RemediationTrigger triggerIf;
  RemediationTemplateReference templateRef;

  static void describe(auto& v) {
    using S = TopologyRemediation;
    v.schema("minProperties", 1);
    v.field("triggerIf", &S::triggerIf).doc("When unhealthy machines are remediated; always, unless it says more.");
    v.field("templateRef", &S::templateRef).doc("Template of an external remediation.");
  }
  friend bool operator==(const TopologyRemediation&, const TopologyRemediation&) = default;
};

struct WorkerRemediation : TopologyRemediation {
  std::optional<json::IntOrString> maxInFlight;

  static void describe(auto& v) {
    TopologyRemediation::describe(v);
    v.field("maxInFlight", &WorkerRemediation::maxInFlight)
        .doc("How many machines are remediated at the same time: a number or a percentage.");
  }
  friend bool operator==(const WorkerRemediation&, const WorkerRemediation&) = default;
};

template <class Remediation>
struct TopologyHealthCheck {
  std::optional<bool> enabled;
  HealthChecks checks;
  Remediation remediation;

  static void describe(auto& v) {
    using S = TopologyHealthCheck;
    v.schema("minProperties", 1);
    v.field("enabled", &S::enabled).doc("Whether machines are checked; the class decides when it is absent.");
    v.field("checks", &S::checks).doc("What makes a machine unhealthy; wins over the class.");
    v.field("remediation", &S::remediation).doc("What is done about unhealthy machines; wins over the class.");
  }
  friend bool operator==(const TopologyHealthCheck&, const TopologyHealthCheck&) = default;
};

}  // namespace ingot::api::capi::v1beta2
