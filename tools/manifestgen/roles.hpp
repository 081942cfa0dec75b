// The roles of an installation, of what the parts of the coordinator ask of the API (coordinator/rights).
#pragma once

#include "json/value.hpp"
#include "json/yaml.hpp"

#include <vector>

namespace ingot::tools {

// In order: of the cluster, of the objects where hosts and machines live, of the Secrets there, of the coordinator's
// own namespace, and of whoever makes the webhooks' certificate.
[[nodiscard]] std::vector<json::Object> roles();

// Of a coordinator in shadow, which reads only: of the objects where hosts and machines live, and of the Secrets there.
[[nodiscard]] std::vector<json::Object> shadowRoles();

}  // namespace ingot::tools
