// Conditions as Cluster API had them before metav1.Condition; status.deprecated.v1beta1.conditions and v1beta1's
// status.conditions.
#pragma once

#include "json/describe.hpp"

#include <optional>
#include <string>

namespace ingot::api::capi {

struct LegacyCondition {
  std::string type, status, severity;
  std::optional<base::WallTime> lastTransitionTime;
  std::string reason, message;

  static void describe(auto& v) {
    v.field("type", &LegacyCondition::type).required().minLength(1).maxLength(256).doc("Type of the condition.");
    v.field("status", &LegacyCondition::status).required().doc("True, False or Unknown.");
    v.field("severity", &LegacyCondition::severity)
        .maxLength(32)
        .doc("Severity of a False condition: Error, Warning or Info.");
    v.field("lastTransitionTime", &LegacyCondition::lastTransitionTime)
        .required()
        .doc("Time of the last change of the condition's status.");
    v.field("reason", &LegacyCondition::reason)
        .minLength(1)
        .maxLength(256)
        .doc("Machine-readable reason of the last change.");
    v.field("message", &LegacyCondition::message)
        .minLength(1)
        .maxLength(10240)
        .doc("Human-readable details of the last change.");
  }
  friend bool operator==(const LegacyCondition&, const LegacyCondition&) = default;
};

}  // namespace ingot::api::capi

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::LegacyCondition>();
