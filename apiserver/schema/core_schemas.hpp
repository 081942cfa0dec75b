// Schemas and columns of the built-in kinds: for pruning, `kubectl explain` and `kubectl get`.
#pragma once

#include "apiserver/schema/catalog.hpp"

namespace ingot::apiserver {

struct CoreSchema {
  GroupResource id;
  std::string version;
  std::string kind;
  KindSchemaPtr schema;
  bool strict = true;  // false: only shown, its objects keep what we do not know
};
[[nodiscard]] std::vector<CoreSchema> coreSchemas();

}  // namespace ingot::apiserver
