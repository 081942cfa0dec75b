// Query parameters and DeleteOptions bodies, turned into the registry's arguments; misspelt ones are refused in
// upstream's words.
#pragma once

#include "apiserver/http/query.hpp"
#include "apiserver/registry/options.hpp"
#include "json/value.hpp"

namespace ingot::apiserver {

// `kind`: "CreateOptions", "UpdateOptions", "PatchOptions": what a 422 names.
[[nodiscard]] WriteOptions writeOptions(const Query& query, std::string_view kind, std::string_view user);
[[nodiscard]] ListOptions listOptions(const Query& query);
[[nodiscard]] WatchOptions watchOptions(const Query& query);
// `body`: null when there was none.
[[nodiscard]] DeleteOptions deleteOptions(const Query& query, const json::Value& body, std::string_view user);

}  // namespace ingot::apiserver
