#include "kube/client/documents.hpp"

#include "json/stubs.hpp"
#include "kube/client/managed_fields.hpp"

namespace ingot::kube {

ObjectsRead parseObjects(std::string_view text, std::size_t level, std::size_t bytes) {
  const json::LeftOut without = managedFields(level + 1);
  const json::ParseLimits limits{.bytes = bytes, .depth = level - 1 + kDeepestObject};
  try {
    return {json::parseWithout(text, without, limits)};
  } catch (const json::ParseError&) {
    const auto readable = json::withStubs(text, level, kDeepestObject);
    if (!readable) throw;
    return {.document = json::parseWithout(*readable, without, limits), .hasStubs = true};
  }
}

bool takeStub(json::Value& place) {
  json::Array* stub = place.if_array();
  if (!stub || stub->size() != 1 || !stub->front().is_object()) return false;
  json::Value object = std::move(stub->front());
  place = std::move(object);
  return true;
}

}  // namespace ingot::kube
