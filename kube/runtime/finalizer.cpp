#include "kube/runtime/finalizer.hpp"

#include <algorithm>

namespace ingot::kube {

bool hasFinalizer(const ObjectMeta& meta, std::string_view finalizer) {
  return std::ranges::find(meta.finalizers, finalizer) != meta.finalizers.end();
}

bool addFinalizer(ObjectMeta& meta, std::string_view finalizer) {
  if (meta.beingDeleted() || hasFinalizer(meta, finalizer)) return false;
  meta.finalizers.emplace_back(finalizer);
  return true;
}

bool removeFinalizer(ObjectMeta& meta, std::string_view finalizer) {
  return std::erase(meta.finalizers, finalizer) > 0;
}

}  // namespace ingot::kube
