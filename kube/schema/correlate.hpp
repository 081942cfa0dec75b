// Finds, while an object is walked, what a node was before the update (spec/kubernetes-api.md §8.3).
#pragma once

#include "kube/schema/field_path.hpp"
#include "kube/schema/schema.hpp"

#include <functional>

namespace ingot::kube {

// The node at the same place of the old object; nullptr when there is none. `name` of a member.
[[nodiscard]] const json::Value* oldMember(const json::Value* old, std::string_view name);
[[nodiscard]] bool unchanged(const json::Value& now, const json::Value* old);

// The keys of one item of a map list, {"k":"1"}; defaults of the key fields count.
[[nodiscard]] json::Value listKey(const Schema& list, const json::Value& item);

// Visits every child that has a schema. Items of a map list are the same as before when their keys are; items of other
// lists have no past.
using ChildVisit = std::function<void(const Schema&, const json::Value&, const json::Value* old, const FieldPath&)>;
void eachChild(const Schema& schema, const json::Value& value, const json::Value* old, const FieldPath& at,
               const ChildVisit& visit);

}  // namespace ingot::kube
