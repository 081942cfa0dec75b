// Labels that selectors ask for, checked in the words of Kubernetes' own selectors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::coordinator::machine {

// All that is wrong with one requirement; throws MachineError(selector) when anything is. The operator is in lower
// case.
void checkRequirement(const std::string& key, const std::string& how, const std::vector<std::string>& values);

// A whole number, as Gt and Lt compare; nullopt: it is none.
[[nodiscard]] std::optional<std::int64_t> wholeNumber(std::string_view text);

}  // namespace ingot::coordinator::machine
