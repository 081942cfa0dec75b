// Metal3Remediation and Metal3RemediationTemplate, infrastructure.cluster.x-k8s.io/v1beta2 (spec/capm3.md §3.6).
#pragma once

#include "api/capm3/v1beta2/limits.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capm3::v1beta2 {

struct RemediationStrategy {
  std::string type;
  int retryLimit = 0, timeoutSeconds = 0;  // the API server fills in 1 and 600

  static void describe(auto& v) {
    using S = RemediationStrategy;
    v.field("type", &S::type).oneOf({"Reboot"}).doc("What is done.");
    int32(v.field("retryLimit", &S::retryLimit), 1).defaultTo(1).doc("How often it is tried again.");
    int32(v.field("timeoutSeconds", &S::timeoutSeconds), 100).defaultTo(600).doc("How long one try may take.");
  }
  friend bool operator==(const RemediationStrategy&, const RemediationStrategy&) = default;
};

struct Metal3RemediationSpec {
  std::optional<RemediationStrategy> strategy;

  static void describe(auto& v) {
    v.doc("How the machine is healed.");
    v.field("strategy", &Metal3RemediationSpec::strategy).doc("How the machine is healed.");
  }
  friend bool operator==(const Metal3RemediationSpec&, const Metal3RemediationSpec&) = default;
};

struct Metal3RemediationStatus {
  std::string phase;
  int retryCount = 0;
  std::optional<base::WallTime> lastRemediated;

  static void describe(auto& v) {
    using S = Metal3RemediationStatus;
    v.field("phase", &S::phase).oneOf({"Running", "Waiting", "Deleting machine", "Failed"}).doc("How far it is.");
    int32(v.field("retryCount", &S::retryCount), 1).doc("How often it was tried again.");
    v.field("lastRemediated", &S::lastRemediated).doc("When it was tried last.");
  }
  friend bool operator==(const Metal3RemediationStatus&, const Metal3RemediationStatus&) = default;
};

struct Metal3Remediation {
  kube::ObjectMeta metadata;
  Metal3RemediationSpec spec;
  Metal3RemediationStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("Heals the machine that it is named after.");
    v.field("metadata", &Metal3Remediation::metadata);
    v.field("spec", &Metal3Remediation::spec).always();
    v.field("status", &Metal3Remediation::status).always();
  }
  friend bool operator==(const Metal3Remediation&, const Metal3Remediation&) = default;
};

struct RemediationTemplate {
  Metal3RemediationSpec spec;

  static void describe(auto& v) {
    v.field("spec", &RemediationTemplate::spec).requiredButOmitted().doc("Spec of the clone.");
  }
  friend bool operator==(const RemediationTemplate&, const RemediationTemplate&) = default;
};

struct Metal3RemediationTemplateSpec {
  RemediationTemplate template_;

  static void describe(auto& v) {
    v.doc("What is cloned.");
    v.field("template", &Metal3RemediationTemplateSpec::template_).requiredButOmitted().doc("What is cloned.");
  }
  friend bool operator==(const Metal3RemediationTemplateSpec&, const Metal3RemediationTemplateSpec&) = default;
};

struct Metal3RemediationTemplateStatus {
  Metal3RemediationStatus status;

  static void describe(auto& v) {
    v.field("status", &Metal3RemediationTemplateStatus::status).doc("Status of the last clone.");
  }
  friend bool operator==(const Metal3RemediationTemplateStatus&, const Metal3RemediationTemplateStatus&) = default;
};

struct Metal3RemediationTemplate {
  kube::ObjectMeta metadata;
  Metal3RemediationTemplateSpec spec;
  Metal3RemediationTemplateStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("A template for Metal3Remediations.");
    v.field("metadata", &Metal3RemediationTemplate::metadata);
    v.field("spec", &Metal3RemediationTemplate::spec);
    v.field("status", &Metal3RemediationTemplate::status);
  }
  friend bool operator==(const Metal3RemediationTemplate&, const Metal3RemediationTemplate&) = default;
};

}  // namespace ingot::api::capm3::v1beta2
