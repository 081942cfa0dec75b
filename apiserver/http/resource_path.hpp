// Whether a path and a method fit a kind, and what to say when they do not (spec/kubernetes-api.md §1.1).
#pragma once

#include "apiserver/http/route.hpp"
#include "apiserver/registry/registry.hpp"

namespace ingot::apiserver {

// A collection or an object of `info` (nullptr: no such kind) is at this path.
[[nodiscard]] bool leadsToObjects(const Route& route, std::string_view method, const ResourceInfo* info);
// Unknown paths below it are answered as text, not as a Status.
[[nodiscard]] bool isCustomGroup(const Registry& registry, std::string_view group);
// 405, or 400 for a write to a collection that lacks the name.
[[nodiscard]] ApiError wrongMethod(const ResourceInfo& info, std::string_view method, bool collection);

}  // namespace ingot::apiserver
