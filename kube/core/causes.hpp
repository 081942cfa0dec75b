// The causes of a 422 answer, in the words of kube-apiserver (spec/kubernetes-api.md §5).
#pragma once

#include "kube/core/status.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ingot::kube {

// `value` is the offending value as JSON text.
[[nodiscard]] StatusCause requiredValue(std::string field, std::string_view detail = {});
[[nodiscard]] StatusCause invalidValue(std::string field, std::string_view value, std::string_view detail);
[[nodiscard]] StatusCause forbiddenValue(std::string field, std::string_view detail);
[[nodiscard]] StatusCause unsupportedValue(std::string field, std::string_view value,
                                           const std::vector<std::string>& supported);
[[nodiscard]] StatusCause tooLong(std::string field, std::size_t bytes);
[[nodiscard]] StatusCause duplicateValue(std::string field, std::string_view value);

// Quoted and escaped, as messages show a text.
[[nodiscard]] std::string jsonText(std::string_view text);

// Several errors as one: a single one as it is, different ones as "[e1, e2]".
[[nodiscard]] std::string inOneLine(const std::vector<std::string>& errors);
[[nodiscard]] std::string inOneLine(const std::vector<StatusCause>& causes);  // each "field: message"

[[nodiscard]] inline bool operator==(const StatusCause& a, const StatusCause& b) {
  return a.reason == b.reason && a.message == b.message && a.field == b.field;
}

}  // namespace ingot::kube
