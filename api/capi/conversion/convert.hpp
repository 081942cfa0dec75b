// Conversion of Cluster and Machine (cluster.x-k8s.io) between v1beta1 and v1beta2, as Cluster API's webhooks do it.
//
//   json::Value newer = capi::convert(older, "v1beta2");
//
// A reference of v1beta2 names no version, one of v1beta1 needs one: it gets v1beta2, the name of the contract.
// Cluster API looks the version up in the labels of the referenced kind's CRD.
#pragma once

#include "api/conversion/error.hpp"

namespace ingot::api::capi {

// `object` in `version` ("v1beta1" or "v1beta2"); the same object when it has that version already, unknown members
// included. Throws ConversionError.
[[nodiscard]] json::Value convert(json::Value object, std::string_view version);

}  // namespace ingot::api::capi
