// What is read of an object before it is decoded into its struct. "" for what it does not say. Pure.
#pragma once

#include "json/value.hpp"
#include "kube/core/object_key.hpp"

namespace ingot::kube {

[[nodiscard]] inline ObjectKey keyOf(const json::Value& object) {
  return {json::textAt(object, {"metadata", "namespace"}), json::textAt(object, {"metadata", "name"})};
}

// The version of an object, or that which a list shows.
[[nodiscard]] inline std::string resourceVersionOf(const json::Value& object) {
  return json::textAt(object, {"metadata", "resourceVersion"});
}

}  // namespace ingot::kube
