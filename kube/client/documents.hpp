// Reading what an API server sends of objects.
#pragma once

#include "json/value.hpp"

#include <cstddef>
#include <string_view>

namespace ingot::kube {

// Objects and arrays in one another, of one object. kube-apiserver takes 10,000 where a schema preserves unknown
// fields; who parses or walks such a document by recursion needs as much stack.
inline constexpr std::size_t kDeepestObject = 128;

struct ObjectsRead {
  json::Value document;
  bool hasStubs = false;
};

// A document in which objects begin `level` objects and arrays deep, without their managedFields. In the place of one
// that is nested deeper than kDeepestObject there is its stub (takeStub); the others are whole. Throws
// json::ParseError.
[[nodiscard]] ObjectsRead parseObjects(std::string_view text, std::size_t level, std::size_t bytes);

// Of a document that has stubs. True: at `place` there was one, and now is what it holds: the object with the plain
// members of its metadata, and no more that can be relied upon.
[[nodiscard]] bool takeStub(json::Value& place);

}  // namespace ingot::kube
