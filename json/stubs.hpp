// For documents that hold objects nested deeper than parse() goes: anybody may have made one of many.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ingot::json {

// `text` with a stub in the place of each object or array that begins `level` objects and arrays deep (the document
// itself: 1) and is more than `depth` of them deep: [ it ], with null for what lies deeper in it than the members of
// its members. Of {"items":[{"metadata":{"name":"a"},"spec":{"x":[[[]]]}}]} (3, 3) makes
// {"items":[[{"metadata":{"name":"a"},"spec":{"x":null}}]]}.
// nullopt: there is none, or brackets do not match, or are deeper than kube-apiserver takes. Reads from bracket to
// bracket and recurses nowhere; what is left out is not looked at otherwise.
[[nodiscard]] std::optional<std::string> withStubs(std::string_view text, std::size_t level, std::size_t depth);

}  // namespace ingot::json
