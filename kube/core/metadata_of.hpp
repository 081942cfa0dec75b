// A kind seen through its metadata alone (what upstream calls a metadata-only watch): for caches of objects whose
// content is rarely asked for. A patch made from it touches nothing but the metadata.
#pragma once

#include "kube/core/kind.hpp"

namespace ingot::kube {

template <Kind T>
struct MetadataOf {
  ObjectMeta metadata;

  static constexpr const KindInfo& info = T::info;

  static void describe(auto& v) { v.field("metadata", &MetadataOf::metadata); }
  friend bool operator==(const MetadataOf&, const MetadataOf&) = default;
};

}  // namespace ingot::kube
