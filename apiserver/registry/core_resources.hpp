// The built-in kinds and their rules (spec/kubernetes-api.md §4.7, §11).
#pragma once

#include "apiserver/registry/kinds.hpp"

#include <memory>
#include <string>
#include <vector>

namespace ingot::apiserver {

struct BuiltInKind {
  ResourceInfo info;
  std::vector<RulesPtr> rules;
};
[[nodiscard]] std::vector<BuiltInKind> builtInKinds();

// Each kind's own rules.
[[nodiscard]] RulesPtr secretRules();
[[nodiscard]] RulesPtr configMapRules();
[[nodiscard]] RulesPtr namespaceRules();
[[nodiscard]] RulesPtr leaseRules();
[[nodiscard]] RulesPtr eventRules();       // core/v1
[[nodiscard]] RulesPtr eventAliasRules();  // events.k8s.io/v1, stored as core/v1

}  // namespace ingot::apiserver
