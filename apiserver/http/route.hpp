// What a path asks for.
#pragma once

#include "apiserver/registry/options.hpp"

#include <string>
#include <string_view>

namespace ingot::apiserver {

struct Route {
  enum class To {
    nothing,
    root,
    health,
    version,
    core,
    groups,
    group,
    groupVersion,
    openApiIndex,
    openApiDocument,
    resource
  };
  To to = To::nothing;
  Target target;            // of To::resource; group and version of the discovery routes
  std::string detail;       // the health check; the OpenAPI document's path
  bool namespaced = false;  // the path has /namespaces/{ns}/
  bool watch = false;       // the deprecated /watch/ form
};

// `path`: still percent-encoded.
[[nodiscard]] Route routeOf(std::string_view path);

}  // namespace ingot::apiserver
