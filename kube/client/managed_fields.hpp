// Which part of an answer nobody of ours reads; often it is the largest.
#pragma once

#include "json/parse_without.hpp"

namespace ingot::kube {

// `depth`: how many objects and arrays deep the metadata stand, 2 in an object by itself.
[[nodiscard]] constexpr json::LeftOut managedFields(std::size_t depth) {
  return {.parent = "metadata", .member = "managedFields", .depth = depth};
}

}  // namespace ingot::kube
