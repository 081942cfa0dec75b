// Which webhooks a kube-apiserver asks about which objects: configurations with the names that Metal3 gives them, so
// that they take the place of its own.
#pragma once

#include "json/value.hpp"
#include "json/yaml.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ingot::tools {

// By what is installed together ("hosts", "cluster-api", "ipam"): a MutatingWebhookConfiguration and a
// ValidatingWebhookConfiguration.
[[nodiscard]] std::vector<std::pair<std::string, std::vector<json::Object>>> registrations();

}  // namespace ingot::tools
