// Request bodies in the formats that clients send (spec/kubernetes-api.md §12).
#pragma once

#include "apiserver/patch/patch.hpp"
#include "json/value.hpp"
#include "net/server.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ingot::apiserver {

struct Body {
  json::Value value;
  std::vector<std::string> duplicates;  // repeated members of a JSON text
};

// Throws ApiError 400, 413, 415. `kind`, `version`: what the body should be, for messages; `protobuf`: such bodies of
// it are read.
[[nodiscard]] Body readBody(const net::ServerRequest& request, std::string_view kind, bool protobuf,
                            std::string_view version = "v1");

// Throws ApiError 415 for formats that this kind does not take.
[[nodiscard]] PatchType patchTypeOf(const net::ServerRequest& request, bool customKind);
[[nodiscard]] Body readPatch(const net::ServerRequest& request, PatchType type);

}  // namespace ingot::apiserver
