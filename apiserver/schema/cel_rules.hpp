// The CEL rules of the kinds that this server is made for, each evaluated by hand (spec/kubernetes-api.md §8.2).
#pragma once

#include "apiserver/schema/schema.hpp"

namespace ingot::apiserver {

// nullopt: a rule that nobody taught this server.
[[nodiscard]] std::optional<CelRule> knownRule(std::string_view text);

[[nodiscard]] bool holds(CelRule rule, const json::Value& self);

}  // namespace ingot::apiserver
