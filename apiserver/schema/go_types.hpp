// The refusals of a decoder into Go structs, which is what kube-apiserver has for metadata and for built-in kinds.
#pragma once

#include "kube/schema/schema.hpp"

namespace ingot::apiserver {

// `json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string`, or nullopt.
// `field`: where `value` itself is in the struct.
[[nodiscard]] std::optional<std::string> goTypeProblem(const kube::Schema& schema, const json::Value& value,
                                                       std::string_view structName, std::string_view field = {});

}  // namespace ingot::apiserver
