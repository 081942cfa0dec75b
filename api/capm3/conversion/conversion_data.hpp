// The annotation cluster.x-k8s.io/conversion-data: the v1beta2 object without metadata, kept in its v1beta1 view, byte
// for byte as Cluster API's tools write it.
#pragma once

#include "json/value.hpp"

namespace ingot::api::capm3 {

// `newer` is the v1beta2 object, complete with apiVersion and kind.
[[nodiscard]] std::string conversionData(const json::Value& newer);

// Takes the annotation out of `metadata`; annotations that become empty go with it.
[[nodiscard]] std::optional<std::string> takeConversionData(json::Object& object);
void putConversionData(json::Object& object, std::string data);

}  // namespace ingot::api::capm3
