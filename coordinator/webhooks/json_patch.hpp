// RFC 6902: how a mutating webhook says what it changed.
#pragma once

#include "json/value.hpp"

namespace ingot::coordinator::webhooks {

// Operations that turn `from` into `to`: members of objects one by one, a list that differs as a whole. Empty when they
// are equal.
[[nodiscard]] json::Array patchBetween(const json::Value& from, const json::Value& to);

}  // namespace ingot::coordinator::webhooks
