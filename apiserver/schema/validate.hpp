// Judges an object by its schema, in the words of kube-apiserver (spec/kubernetes-api.md §5, §8).
#pragma once

#include "apiserver/registry/status.hpp"
#include "apiserver/schema/schema.hpp"

namespace ingot::apiserver {

// `old` (nullptr on create): a node that equals its old self is not judged again (§8.3). A write to /status judges the
// status alone, in messages whose paths begin there.
[[nodiscard]] std::vector<StatusCause> validateObject(const Schema& schema, const json::Value& object,
                                                      const json::Value* old, std::string_view subresource = {});

// Keys and members of lists that must not repeat.
void validateLists(const Schema& schema, const json::Value& object, const json::Value* old,
                   std::vector<StatusCause>& causes);

// The schema's CEL rules.
void validateRules(const Schema& schema, const json::Value& object, const json::Value* old,
                   std::vector<StatusCause>& causes);

}  // namespace ingot::apiserver
