// A pointer to an object, as Events carry it (core/v1 ObjectReference).
#pragma once

#include "json/describe.hpp"
#include "kube/core/kind.hpp"

#include <string>

namespace ingot::kube {

struct ObjectReference {
  std::string kind, namespace_, name, uid, apiVersion, resourceVersion, fieldPath;

  static void describe(auto& v) {
    v.field("kind", &ObjectReference::kind);
    v.field("namespace", &ObjectReference::namespace_);
    v.field("name", &ObjectReference::name);
    v.field("uid", &ObjectReference::uid);
    v.field("apiVersion", &ObjectReference::apiVersion);
    v.field("resourceVersion", &ObjectReference::resourceVersion);
    v.field("fieldPath", &ObjectReference::fieldPath);
  }
  friend bool operator==(const ObjectReference&, const ObjectReference&) = default;
};

[[nodiscard]] ObjectReference referenceTo(const KindInfo& kind, const ObjectMeta& meta);

template <Kind T>
[[nodiscard]] ObjectReference referenceTo(const T& object) {
  return referenceTo(T::info, object.metadata);
}

// For metadata.ownerReferences of a dependent. `controller` also blocks the owner's foreground deletion, as upstream.
[[nodiscard]] OwnerReference ownerReferenceTo(const KindInfo& kind, const ObjectMeta& owner, bool controller);

template <Kind T>
[[nodiscard]] OwnerReference ownerReferenceTo(const T& owner, bool controller) {
  return ownerReferenceTo(T::info, owner.metadata, controller);
}

// Adds it, or brings the one with the same uid up to date. True when something changed.
bool setOwnerReference(ObjectMeta& dependent, const OwnerReference& owner);

}  // namespace ingot::kube

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::kube::ObjectReference>();
