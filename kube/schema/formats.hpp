// The string and number formats of schemas (spec/kubernetes-api.md §8.1); an unknown format holds always.
#pragma once

#include "json/value.hpp"

#include <string_view>

namespace ingot::kube {

[[nodiscard]] bool stringHasFormat(std::string_view text, std::string_view format);
// int32 and int64 are ranges.
[[nodiscard]] bool numberHasFormat(const json::Value& number, std::string_view format);

[[nodiscard]] std::size_t runes(std::string_view utf8);

}  // namespace ingot::kube
