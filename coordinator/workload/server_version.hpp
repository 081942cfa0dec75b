// Which Kubernetes a cluster runs (GET /version).
#pragma once

#include "json/value.hpp"

#include <compare>
#include <optional>

namespace ingot::coordinator::workload {

struct ServerVersion {
  unsigned major = 0, minor = 0;
  friend auto operator<=>(const ServerVersion&, const ServerVersion&) = default;
};

// Clouds write a minor version of "28+": what follows the digits is left away. nullopt for no version.
[[nodiscard]] std::optional<ServerVersion> serverVersionIn(const json::Value& answer);

}  // namespace ingot::coordinator::workload
