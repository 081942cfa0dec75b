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
    v.field("type", &S::type).oneOf({"Reboot"}).doc("Kind of remediation. Reboot is the only one.");
    int32(v.field("retryLimit", &S::retryLimit), 1)
        .defaultTo(1)
        .doc("Number of further attempts after the first one failed.");
    int32(v.field("timeoutSeconds", &S::timeoutSeconds), 100)
        .defaultTo(600)
        .doc("Seconds that one attempt may take before the next one begins.");
  }
  friend bool operator==(const RemediationStrategy&, const RemediationStrategy&) = default;
};

struct Metal3RemediationSpec {
  std::optional<RemediationStrategy> strategy;

  static void describe(auto& v) {
    v.doc("Wanted remediation of an unhealthy machine.");
    v.field("strategy", &Metal3RemediationSpec::strategy).doc("Strategy of the remediation.");
  }
  friend bool operator==(const Metal3RemediationSpec&, const Metal3RemediationSpec&) = default;
};

struct Metal3RemediationStatus {
  std::string phase;
  int retryCount = 0;
  std::optional<base::WallTime> lastRemediated;

  static void describe(auto& v) {
    using S = Metal3RemediationStatus;
    v.field("phase", &S::phase)
        .oneOf({"Running", "Waiting", "Deleting machine", "Failed"})
        .doc("Phase of the remediation: Running, Waiting, Deleting machine or Failed.");
    int32(v.field("retryCount", &S::retryCount), 1).doc("Number of attempts so far beyond the first one.");
    v.field("lastRemediated", &S::lastRemediated).doc("Time of the last attempt.");
  }
  friend bool operator==(const Metal3RemediationStatus&, const Metal3RemediationStatus&) = default;
};

struct Metal3Remediation {
  kube::ObjectMeta metadata;
  Metal3RemediationSpec spec;
  Metal3RemediationStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("Remediates the unhealthy Machine of the same name.");
    v.field("metadata", &Metal3Remediation::metadata);
    v.field("spec", &Metal3Remediation::spec).always();
    v.field("status", &Metal3Remediation::status).always();
  }
  friend bool operator==(const Metal3Remediation&, const Metal3Remediation&) = default;
};

struct RemediationTemplate {
  Metal3RemediationSpec spec;

  static void describe(auto& v) {
    v.field("spec", &RemediationTemplate::spec)
        .requiredButOmitted()
        .doc("Spec of the objects that are made from the template.");
  }
  friend bool operator==(const RemediationTemplate&, const RemediationTemplate&) = default;
};

struct Metal3RemediationTemplateSpec {
  RemediationTemplate template_;

  static void describe(auto& v) {
    v.doc("Template that each clone is made from.");
    v.field("template", &Metal3RemediationTemplateSpec::template_)
        .requiredButOmitted()
        .doc("Template that each clone is made from.");
  }
  friend bool operator==(const Metal3RemediationTemplateSpec&, const Metal3RemediationTemplateSpec&) = default;
};

struct Metal3RemediationTemplateStatus {
  Metal3RemediationStatus status;

  static void describe(auto& v) {
    v.field("status", &Metal3RemediationTemplateStatus::status).doc("Conditions of the template.");
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

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta2::Metal3Remediation>();
extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta2::Metal3RemediationTemplate>();
