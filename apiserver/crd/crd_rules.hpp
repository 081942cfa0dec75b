// Admission of CustomResourceDefinitions themselves.
#pragma once

#include "apiserver/crd/definition.hpp"
#include "apiserver/registry/kind_rules.hpp"

#include <memory>

namespace ingot::apiserver {

[[nodiscard]] std::shared_ptr<const KindRules> crdRules(ConvertibleKinds convertible);

}  // namespace ingot::apiserver
