// Conversion of the kinds of infrastructure.cluster.x-k8s.io between v1beta1 and v1beta2 (spec/capm3.md §4).
//
//   json::Value newer = capm3::convert(older, "v1beta2");
#pragma once

#include "api/conversion/error.hpp"

namespace ingot::api::capm3 {

// `object` in `version` ("v1beta1" or "v1beta2"); the same object when it has that version already, unknown members
// included. Throws ConversionError.
[[nodiscard]] json::Value convert(json::Value object, std::string_view version);

}  // namespace ingot::api::capm3
