// Conversion of IPAddressClaim and IPAddress (ipam.cluster.x-k8s.io) between v1beta1 and v1beta2, as Cluster API's
// webhooks do it (spec/ipam.md §5). Nothing is kept in an annotation: each version says all that the other one does.
#pragma once

#include "api/conversion/error.hpp"

namespace ingot::api::capi_ipam {

// `object` in `version` ("v1beta1" or "v1beta2"); the same object when it has that version already, unknown members
// included. Throws ConversionError.
[[nodiscard]] json::Value convert(json::Value object, std::string_view version);

}  // namespace ingot::api::capi_ipam
