// The operations of one kind as OpenAPI paths.
#pragma once

#include "apiserver/registry/resource_info.hpp"
#include "json/value.hpp"

namespace ingot::apiserver {

// Adds to `paths`: collection, namespaced collection, object and subresources of this kind in this version.
void addPaths(json::Object& paths, const ResourceInfo& info, const ServedVersion& version);

}  // namespace ingot::apiserver
