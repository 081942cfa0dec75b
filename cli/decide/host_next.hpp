// What a host waits for since when, and who or what comes next. Pure.
#pragma once

#include "api/bmh/baremetalhost.hpp"

#include <optional>
#include <string>

namespace ingot::cli {

// Since when it is what cli/decide/why.hpp tells; nullopt: it waits for nothing, or that is not known.
[[nodiscard]] std::optional<base::WallTime> waitsSince(const api::BareMetalHost& host);

// The next step, whoever takes it. Never empty.
[[nodiscard]] std::string nextOf(const api::BareMetalHost& host);

}  // namespace ingot::cli
