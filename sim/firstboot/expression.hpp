// One {{ expression }} of a template.
#pragma once

#include "json/value.hpp"
#include "sim/firstboot/budget.hpp"

#include <string>
#include <string_view>

namespace ingot::sim::firstboot {

// Its text, as Python prints the value; it and what it comes from are taken from the budget. Throws BootError, without
// saying where.
[[nodiscard]] std::string evaluate(std::string_view expression, const json::Object& names, Budget& budget);

}  // namespace ingot::sim::firstboot
