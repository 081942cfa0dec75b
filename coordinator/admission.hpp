// Admission of our kinds inside the embedded API: the same rules that a validating webhook would run.
#pragma once

#include "apiserver/registry/kind_rules.hpp"
#include "apiserver/registry/resource_info.hpp"

#include <map>
#include <memory>
#include <vector>

namespace ingot::coordinator {

[[nodiscard]] std::map<apiserver::GroupResource, std::vector<std::shared_ptr<const apiserver::KindRules>>>
admissionRules();

}  // namespace ingot::coordinator
