// CustomResourceDefinitions of our kinds, made from their descriptions. crdgen writes them to crds/; the embedded API
// takes them from here.
#pragma once

#include "json/describe.hpp"
#include "kube/core/kind.hpp"

#include <vector>

namespace ingot::api {

// One version of a kind.
struct CrdVersion {
  const kube::KindInfo* kind = nullptr;
  json::Object schema;
  bool storage = true;
  bool deprecated = false;
};

// What the definition of a provider's kind carries beside its versions (spec/capm3.md §1.1, spec/ipam.md §1).
struct CrdMeta {
  json::Object labels, annotations;
  json::Object conversion;  // spec.conversion; empty: versions are served as they are stored
};

// The CRD of a kind; names, scope and group are those of the first version.
[[nodiscard]] json::Object crdOf(std::vector<CrdVersion> versions, CrdMeta meta = {});

template <kube::Kind T>
[[nodiscard]] CrdVersion crdVersion() {
  return {.kind = &T::info, .schema = json::schemaOf<T>()};
}

template <kube::Kind T>
[[nodiscard]] json::Object crdOf() {
  return crdOf({crdVersion<T>()});
}

}  // namespace ingot::api
