// CustomResourceDefinitions of our kinds, made from their descriptions. crdgen writes them to crds/; the embedded API
// takes them from here.
#pragma once

#include "json/describe.hpp"
#include "kube/core/kind.hpp"

#include <vector>

namespace ingot::api {

// The CRD of a kind with the schema of its struct.
[[nodiscard]] json::Object crdOf(const kube::KindInfo& kind, json::Object schema);

template <kube::Kind T>
[[nodiscard]] json::Object crdOf() {
  return crdOf(T::info, json::schemaOf<T>());
}

// Of every kind that this project defines or serves, by name.
[[nodiscard]] std::vector<json::Object> allCrds();

}  // namespace ingot::api
