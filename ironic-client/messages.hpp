// Bodies and links of the REST API. Pure.
#pragma once

#include "ironic-client/client.hpp"

#include <string>

namespace ingot::ironic::messages {

// Only the keys that belong to the verb: Ironic refuses others (spec/ironic.md §3.2).
[[nodiscard]] json::Object provisionBody(const ProvisionRequest& request);

// The path (below `prefix`) of a collection's next page, from its absolute "next" link; "" on the last page.
[[nodiscard]] std::string nextPage(const json::Value& collection, std::string_view prefix);

}  // namespace ingot::ironic::messages
