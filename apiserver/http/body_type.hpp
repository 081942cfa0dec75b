// Whether a body is of the kind that its path says (spec/kubernetes-api.md §4.1).
#pragma once

#include "apiserver/registry/registry.hpp"
#include "json/value.hpp"

#include <string_view>

namespace ingot::apiserver {

// `text`: the body as sent, for the message. Built-in kinds may leave apiVersion and kind out. Throws ApiError 400,
// 422.
void checkBodyType(const json::Value& body, std::string_view text, const ResourceInfo& info, const std::string& version,
                   const Registry& registry);

// "the object provided is unrecognized (must be of type K): <problem> (<beginning of text>)"
[[nodiscard]] ApiError unrecognized(std::string_view kind, std::string_view problem, std::string_view text);

}  // namespace ingot::apiserver
