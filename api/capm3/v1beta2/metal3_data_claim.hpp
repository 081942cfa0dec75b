// Metal3DataClaim, infrastructure.cluster.x-k8s.io/v1beta2: a machine asks for data (spec/capm3.md §3.5).
#pragma once

#include "api/capm3/v1beta2/references.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capm3::v1beta2 {

struct Metal3DataClaimSpec {
  std::optional<ObjectRef> template_;

  static void describe(auto& v) {
    v.doc("Wanted state of the claim: the template to render data from.");
    v.field("template", &Metal3DataClaimSpec::template_)
        .doc("Reference to the Metal3DataTemplate that the data are rendered from.");
  }
  friend bool operator==(const Metal3DataClaimSpec&, const Metal3DataClaimSpec&) = default;
};

struct Metal3DataClaimStatus {
  std::optional<ObjectRef> renderedData;
  std::string errorMessage;

  static void describe(auto& v) {
    v.field("renderedData", &Metal3DataClaimStatus::renderedData).doc("The Metal3Data made for the claim.");
    text(v.field("errorMessage", &Metal3DataClaimStatus::errorMessage))
        .doc("Error message when the claim cannot be satisfied; empty otherwise.");
  }
  friend bool operator==(const Metal3DataClaimStatus&, const Metal3DataClaimStatus&) = default;
};

struct Metal3DataClaim {
  kube::ObjectMeta metadata;
  Metal3DataClaimSpec spec;
  Metal3DataClaimStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("Asks for a Metal3Data made from a Metal3DataTemplate.");
    v.field("metadata", &Metal3DataClaim::metadata);
    v.field("spec", &Metal3DataClaim::spec).always();
    v.field("status", &Metal3DataClaim::status).always();
  }
  friend bool operator==(const Metal3DataClaim&, const Metal3DataClaim&) = default;
};

}  // namespace ingot::api::capm3::v1beta2

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta2::Metal3DataClaim>();
