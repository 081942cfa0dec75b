// Repeated members of a JSON body, reported as fieldValidation wants it: beside what the schema finds unknown.
#pragma once

#include "apiserver/registry/kind_rules.hpp"
#include "apiserver/registry/resource_info.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ingot::apiserver {

// The refusal of a strict request whose body repeats `duplicates`. `other`: how the request would be refused without
// them, when it would be.
[[nodiscard]] ApiError duplicateRefusal(const ResourceInfo& info, const std::string& version, std::string_view body,
                                        const std::vector<std::string>& duplicates, bool patch,
                                        std::optional<Status> other);
[[nodiscard]] std::vector<std::string> duplicateWarnings(const std::vector<std::string>& duplicates);

}  // namespace ingot::apiserver
