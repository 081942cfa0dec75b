// Objects as the server has them, for scripts: JSON, YAML, names.
#pragma once

#include "json/value.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ingot::cli {

// Without metadata.managedFields, as kubectl shows objects.
[[nodiscard]] json::Value shown(json::Value object);

// One named object as itself, anything else as a List.
[[nodiscard]] json::Value asDocument(std::vector<json::Value> objects, bool single);

// Of a document; empty where that has no such array.
[[nodiscard]] json::Array arrayOf(const json::Value& document, std::string_view member);

// "baremetalhost.metal3.io/node01"
[[nodiscard]] std::string nameLine(const json::Value& object);

}  // namespace ingot::cli
