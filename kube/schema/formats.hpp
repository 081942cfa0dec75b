// The string and number formats of schemas (spec/kubernetes-api.md §8.1); an unknown format holds always.
#pragma once

#include "json/value.hpp"

#include <string_view>

namespace ingot::kube {

[[nodiscard]] bool stringHasFormat(std::string_view text, std::string_view format);

// What counts as an integer: whole, and as a fraction (1.0) no larger than a double can count to.
[[nodiscard]] bool isInteger(const json::Value& v);
// It fits into int32, or else into int64, whatever way it is written.
[[nodiscard]] bool fitsInteger(const json::Value& number, std::string_view format);

[[nodiscard]] std::size_t runes(std::string_view utf8);

}  // namespace ingot::kube
