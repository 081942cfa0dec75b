// metav1.Condition.
#pragma once

#include "json/describe.hpp"

#include <string>

namespace ingot::kube {

struct Condition {
  std::string type;
  std::string status;  // True | False | Unknown
  std::int64_t observedGeneration = 0;
  std::optional<base::WallTime> lastTransitionTime;
  std::string reason, message;

  static void describe(auto& v) {
    v.doc("Condition contains details for one aspect of the current state of this API Resource.");
    v.field("type", &Condition::type)
        .required()
        .maxLength(316)
        .pattern(
            R"(^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$)");
    v.field("status", &Condition::status).required().oneOf({"True", "False", "Unknown"});
    v.field("observedGeneration", &Condition::observedGeneration).format("int64").minimum(0);
    v.field("lastTransitionTime", &Condition::lastTransitionTime).required();
    v.field("reason", &Condition::reason)
        .required()
        .minLength(1)
        .maxLength(1024)
        .pattern("^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$");
    v.field("message", &Condition::message).required().maxLength(32768);
  }
  friend bool operator==(const Condition&, const Condition&) = default;
};

}  // namespace ingot::kube

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::kube::Condition>();
