// Versions are opaque texts that compare as numbers where both are numbers (spec/kubernetes-api.md §6.1).
#pragma once

#include <string_view>

namespace ingot::kube {

// `seen` is `wanted` or a later one. They may be longer than 64 bits can hold.
[[nodiscard]] bool atLeastVersion(std::string_view seen, std::string_view wanted);

[[nodiscard]] bool isNumericVersion(std::string_view version);

// Both are numbers and `a` is the smaller one.
[[nodiscard]] bool olderVersion(std::string_view a, std::string_view b);

}  // namespace ingot::kube
