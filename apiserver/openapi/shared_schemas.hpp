// The components that every OpenAPI document refers to: ObjectMeta and its kin.
#pragma once

#include "json/value.hpp"

#include <string>
#include <string_view>

namespace ingot::apiserver {

inline constexpr std::string_view kMetaPrefix = "io.k8s.apimachinery.pkg.apis.meta.v1.";

[[nodiscard]] json::Object sharedSchemas();
[[nodiscard]] json::Object schemaRef(std::string_view name);
// "metal3.io","v1alpha1","BareMetalHost" → "io.metal3.v1alpha1.BareMetalHost"; core: "io.k8s.api.core.v1.Secret".
[[nodiscard]] std::string schemaName(std::string_view group, std::string_view version, std::string_view kind);

}  // namespace ingot::apiserver
