#include "kube/core/object_reference.hpp"

namespace ingot::kube {

ObjectReference referenceTo(const KindInfo& kind, const ObjectMeta& meta) {
  return {.kind = std::string(kind.kind),
          .namespace_ = meta.namespace_,
          .name = meta.name,
          .uid = meta.uid,
          .apiVersion = kind.apiVersion(),
          .resourceVersion = meta.resourceVersion};
}

OwnerReference ownerReferenceTo(const KindInfo& kind, const ObjectMeta& owner, bool controller) {
  OwnerReference out{
      .apiVersion = kind.apiVersion(), .kind = std::string(kind.kind), .name = owner.name, .uid = owner.uid};
  if (controller) out.controller = out.blockOwnerDeletion = true;
  return out;
}

bool setOwnerReference(ObjectMeta& dependent, const OwnerReference& owner) {
  const auto it = std::ranges::find(dependent.ownerReferences, owner.uid, &OwnerReference::uid);
  if (it == dependent.ownerReferences.end()) {
    dependent.ownerReferences.push_back(owner);
    return true;
  }
  return std::exchange(*it, owner) != owner;
}

}  // namespace ingot::kube

template const ingot::json::Shape& ingot::json::shapeOf<ingot::kube::ObjectReference>();
