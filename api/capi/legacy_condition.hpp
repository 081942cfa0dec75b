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
    v.field("type", &LegacyCondition::type).required().minLength(1).maxLength(256).doc("What it tells of.");
    v.field("status", &LegacyCondition::status).required().doc("True, False or Unknown.");
    v.field("severity", &LegacyCondition::severity).maxLength(32).doc("How bad False is: Error, Warning or Info.");
    v.field("lastTransitionTime", &LegacyCondition::lastTransitionTime).required().doc("When the status changed last.");
    v.field("reason", &LegacyCondition::reason).minLength(1).maxLength(256).doc("Why, in one word.");
    v.field("message", &LegacyCondition::message).minLength(1).maxLength(10240).doc("Why, for people.");
  }
  friend bool operator==(const LegacyCondition&, const LegacyCondition&) = default;
};

}  // namespace ingot::api::capi
