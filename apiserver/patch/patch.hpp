// The patch formats of PATCH requests (spec/kubernetes-api.md §7), as edits of the current object.
#pragma once

#include "json/value.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace ingot::apiserver {

enum class PatchType { merge, json, strategic };

// Throws ApiError 400 for a body that is no such patch at all; 413 for more than 10 000 operations.
void checkPatch(PatchType type, const json::Value& patch);

// Edits `object` in place. Throws ApiError 422 when a JSON patch does not apply, 400 for a misused directive.
// `kind`: strategic merge asks which lists merge by which key.
void applyPatch(PatchType type, std::string_view kind, const json::Value& patch, json::Value& object);

}  // namespace ingot::apiserver
