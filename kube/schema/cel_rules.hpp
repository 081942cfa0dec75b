// The CEL rules of the kinds that this server is made for, each evaluated by hand (spec/kubernetes-api.md §8.2).
#pragma once

#include "kube/schema/schema.hpp"

namespace ingot::kube {

// nullopt: this server does not implement the rule.
[[nodiscard]] std::optional<CelRule> knownRule(std::string_view text);

// `old`: what stood at this place before; nullptr when nothing did. A rule about oldSelf holds then.
[[nodiscard]] bool holds(CelRule rule, const json::Value& self, const json::Value* old);

}  // namespace ingot::kube
