// References and status parts that several kinds of v1beta1 share.
#pragma once

#include "api/bmh/references.hpp"
#include "api/capi/legacy_condition.hpp"
#include "api/capm3/shared.hpp"
#include "kube/core/condition.hpp"
#include "kube/core/object_reference.hpp"

namespace ingot::api::capm3::v1beta1 {

// status.v1beta2: what the next version has in another form.
struct NewerStatus {
  std::vector<kube::Condition> conditions;

  static void describe(auto& v) {
    v.field("conditions", &NewerStatus::conditions)
        .listMap({"type"})
        .maxItems(32)
        .doc("Conditions in the new form, one of each type.");
  }
  friend bool operator==(const NewerStatus&, const NewerStatus&) = default;
};

}  // namespace ingot::api::capm3::v1beta1
