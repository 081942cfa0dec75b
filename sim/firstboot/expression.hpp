// One {{ expression }} of a template.
#pragma once

#include "json/value.hpp"

#include <string>
#include <string_view>

namespace ingot::sim::firstboot {

// Its text, as Python prints the value. Throws BootError, without saying where.
[[nodiscard]] std::string evaluate(std::string_view expression, const json::Object& names);

}  // namespace ingot::sim::firstboot
