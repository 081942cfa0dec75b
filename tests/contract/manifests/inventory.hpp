// What a schema validates, one entry for each keyword of each field.
#pragma once

#include "json/value.hpp"

#include <set>
#include <string>

namespace ingot::contract {

// "maxLength spec.image.url". Items are [0], members of a map are .first, as documents in tests/data/manifests have
// them. A type that stands in several places (conditions, references) is told where it stands first. Throws
// base::InvalidInput when the schema has a keyword that nobody thought of here.
[[nodiscard]] std::set<std::string> validationsOf(const json::Value& schema);

}  // namespace ingot::contract
