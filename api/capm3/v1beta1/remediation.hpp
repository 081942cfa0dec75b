// Metal3Remediation and Metal3RemediationTemplate, infrastructure.cluster.x-k8s.io/v1beta1.
#pragma once

#include "api/capm3/shared.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capm3::v1beta1 {

struct RemediationStrategy {
  std::string type;
  std::int64_t retryLimit = 0;
  std::optional<std::string> timeout;  // a Go duration: "10m0s"

  static void describe(auto& v) {
    using S = RemediationStrategy;
    v.field("type", &S::type).doc("Kind of remediation. Reboot is the only one.");
    v.field("retryLimit", &S::retryLimit).doc("Number of further attempts after the first one failed.");
    v.field("timeout", &S::timeout).always().doc("Seconds that one attempt may take before the next one begins.");
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
  std::int64_t retryCount = 0;
  std::optional<base::WallTime> lastRemediated;

  static void describe(auto& v) {
    using S = Metal3RemediationStatus;
    v.field("phase", &S::phase).doc("Phase of the remediation: Running, Waiting, Deleting machine or Failed.");
    v.field("retryCount", &S::retryCount).doc("Number of attempts so far beyond the first one.");
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
    v.field("spec", &RemediationTemplate::spec).required().doc("Spec of the objects that are made from the template.");
  }
  friend bool operator==(const RemediationTemplate&, const RemediationTemplate&) = default;
};

struct Metal3RemediationTemplateSpec {
  RemediationTemplate template_;

  static void describe(auto& v) {
    v.doc("Template that each clone is made from.");
    v.field("template", &Metal3RemediationTemplateSpec::template_)
        .required()
        .doc("Template that each clone is made from.");
  }
  friend bool operator==(const Metal3RemediationTemplateSpec&, const Metal3RemediationTemplateSpec&) = default;
};

struct Metal3RemediationTemplateStatus {
  Metal3RemediationStatus status;

  static void describe(auto& v) {
    v.field("status", &Metal3RemediationTemplateStatus::status).required().doc("Conditions of the template.");
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
    v.field("spec", &Metal3RemediationTemplate::spec).always();
    v.field("status", &Metal3RemediationTemplate::status).always();
  }
  friend bool operator==(const Metal3RemediationTemplate&, const Metal3RemediationTemplate&) = default;
};

}  // namespace ingot::api::capm3::v1beta1

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta1::Metal3Remediation>();
extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta1::Metal3RemediationTemplate>();
