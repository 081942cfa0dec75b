// What happens to an object before it is judged: unknown fields go, defaults come (spec/kubernetes-api.md §4.3).
#pragma once

#include "kube/schema/schema.hpp"

namespace ingot::kube {

// Removes members the schema does not know, and appends the paths of the first ones to `unknown` (FieldReport). The
// root's apiVersion, kind and metadata always count as known; what metadata may hold is objectMetaSchema().
void pruneObject(const Schema& schema, json::Value& object, std::vector<std::string>& unknown);

// Fills in defaults where the parent exists; an explicit null on a field that may not be null becomes its default, or
// goes.
void applyDefaults(const Schema& schema, json::Value& object);

// Removes maps and lists that hold nothing: what becomes of them in the Go structs of core kinds. Not for custom kinds,
// whose documents are kept as they come.
void dropEmpty(const Schema& schema, json::Value& object);

}  // namespace ingot::kube
