// Names that say that a secret stands behind them. Private to cli/bundle.
#pragma once

#include <string>
#include <string_view>

namespace ingot::cli::bundle {

// Of a member of an object, of a BIOS setting, of a variable, of a field in a line. "X-Auth-Token", "api_key" and
// "apiKey" are told apart by nobody. References ("passwordSecretName", "tokenRef") and what is told of a secret
// ("bootstrapDataSecretCreated") stay.
[[nodiscard]] bool isTelltale(std::string_view name);

// "--ironic-password": its value is what comes next.
[[nodiscard]] bool isTelltaleFlag(std::string_view argument);

// Which a shell has no quotes for: a value of these may have spaces.
[[nodiscard]] bool isOfKernel(std::string_view name);

// Matches every name for which isTelltale() may hold, as a regular expression.
[[nodiscard]] std::string telltalePattern();

}  // namespace ingot::cli::bundle
