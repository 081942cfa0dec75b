// Conversion of the kinds of infrastructure.cluster.x-k8s.io between v1beta1 and v1beta2 (spec/capm3.md §4).
//
//   json::Value newer = capm3::convert(older, "v1beta2");
//
// Pure. Lists what it does as tables (tables.cpp). metadata passes through untouched, but for the annotation
// cluster.x-k8s.io/conversion-data, which keeps for some kinds what v1beta1 cannot say.
#pragma once

#include "json/value.hpp"

namespace ingot::api::capm3 {

// The object cannot be converted: `what()` names the member, or the annotation, and the problem.
class ConversionError final : public base::Error {
 public:
  using Error::Error;
};

// `object` in `version` ("v1beta1" or "v1beta2"); the same object when it has that version already, unknown members
// included.
[[nodiscard]] json::Value convert(const json::Value& object, std::string_view version);

}  // namespace ingot::api::capm3
