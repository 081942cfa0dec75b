// Names as Go's encoding/json matches them: a member goes to the field of exactly its name, else to one that differs in
// the case of letters only. For texts that upstream reads with it (JSON in annotations). Not for the bodies of API
// requests: Kubernetes tells names apart by case.
#pragma once

#include "json/describe.hpp"

namespace ingot::json {

// Gives every member that `schema` (of schemaOf) knows under another case the name that it has there, at every level.
void foldNames(Value& value, const Object& schema);

template <class T>
[[nodiscard]] Value withGoNames(Value value) {
  foldNames(value, schemaOf<T>());
  return value;
}

}  // namespace ingot::json
