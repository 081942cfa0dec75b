// The two forms of a member, one made from the other. nullopt: it is said by absence.
#pragma once

#include "api/capm3/conversion/move.hpp"

namespace ingot::api::capm3 {

[[nodiscard]] std::optional<json::Value> formUp(Form form, json::Value value);
// Throws ConversionError for what v1beta1 cannot say.
[[nodiscard]] std::optional<json::Value> formDown(Form form, json::Value value);

}  // namespace ingot::api::capm3
