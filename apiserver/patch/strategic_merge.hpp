// Strategic merge patch for the built-in kinds (spec/kubernetes-api.md §7.4).
#pragma once

#include "json/value.hpp"

#include <string_view>

namespace ingot::apiserver {

// Throws ApiError 400 for a directive that makes no sense.
void applyStrategicMerge(std::string_view kind, const json::Value& patch, json::Value& object);

}  // namespace ingot::apiserver
