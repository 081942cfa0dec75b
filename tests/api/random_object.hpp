// Random documents that a schema admits, or nearly: patterns and limits of texts are left alone on purpose.
#pragma once

#include "base/random.hpp"
#include "json/value.hpp"

namespace ingot::tests {

// Of a structural schema. `size` bounds lists and the share of members present: small sizes make small documents, so
// that the first seed that fails is easy to read.
[[nodiscard]] json::Value randomValue(const json::Value& schema, base::Random& random, int size);

}  // namespace ingot::tests
