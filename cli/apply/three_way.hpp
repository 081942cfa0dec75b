// `kubectl apply` as pure functions, so that kubectl and ingotctl can take turns on the same objects: what was applied
// last is remembered in an annotation, byte for byte as kubectl writes it.
#pragma once

#include "json/value.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ingot::cli {

inline constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
inline constexpr std::string_view kApplyManager = "kubectl-client-side-apply";

// `manifest` with the annotation that remembers it.
[[nodiscard]] json::Value withLastApplied(json::Value manifest);

// What the annotation of a live object holds; nullopt when it has none, or one that is not JSON.
[[nodiscard]] std::optional<json::Value> lastApplied(const json::Value& live);

// The merge patch that brings `live` to what `modified` says: adds and changes what it has, removes what was applied
// last and is no longer in it, leaves everything else to its other writers. Lists are replaced as a whole.
[[nodiscard]] json::Value threeWayPatch(const std::optional<json::Value>& original, const json::Value& modified,
                                        const json::Value& live);

}  // namespace ingot::cli
