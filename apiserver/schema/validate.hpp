// What a client is told of an object that breaks its schema, in the words of kube-apiserver
// (spec/kubernetes-api.md §5, §8).
#pragma once

#include "apiserver/registry/status.hpp"
#include "kube/schema/schema.hpp"

namespace ingot::apiserver {

// `old` (nullptr on create): what has not changed is not judged again. A write to /status judges the status alone, in
// messages whose paths begin there.
[[nodiscard]] std::vector<StatusCause> validateObject(const kube::Schema& schema, const json::Value& object,
                                                      const json::Value* old, std::string_view subresource = {});

}  // namespace ingot::apiserver
