// Annotations of a host, by their names of names.hpp. Pure.
#pragma once

#include "api/bmh/baremetalhost.hpp"

#include <string>
#include <string_view>

namespace ingot::api {

// The value of the annotation; nullptr when the host does not carry it.
[[nodiscard]] inline const std::string* findAnnotation(const BareMetalHost& host, std::string_view name) {
  return host.metadata.annotation(std::string(name));
}

[[nodiscard]] inline bool isAnnotated(const BareMetalHost& host, std::string_view name) {
  return findAnnotation(host, name) != nullptr;
}

}  // namespace ingot::api
