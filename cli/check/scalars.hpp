// What a schema says of a single text or number.
#pragma once

#include "json/value.hpp"

namespace ingot::cli {

// Appends what is wrong with the text or number, each with what would be right.
void scalarProblems(const json::Object& schema, const json::Value& value, std::vector<std::string>& into);

// "" when the value is allowed by `enum`, or there is none.
[[nodiscard]] std::string enumProblem(const json::Object& schema, const json::Value& value);

// "" when the value has the type that the schema wants.
[[nodiscard]] std::string typeProblem(const json::Object& schema, const json::Value& value);

// The value for a message, cut where it gets long.
[[nodiscard]] std::string shownValue(const json::Value& value);

}  // namespace ingot::cli
