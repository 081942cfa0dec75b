// Protobuf request bodies of built-in kinds, read as the JSON that would have said the same (spec/kubernetes-api.md
// §13).
#pragma once

#include "apiserver/protobuf/wire_reader.hpp"
#include "json/value.hpp"

#include <optional>
#include <string_view>

namespace ingot::apiserver {

// `body` begins with the envelope's magic. Throws ProtobufError; nullopt for a kind that is not of the subset.
[[nodiscard]] std::optional<json::Value> decodeProtobuf(std::string_view body);

}  // namespace ingot::apiserver
