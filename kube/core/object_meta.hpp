// metadata of every object (metav1.ObjectMeta), as far as anybody of ours reads it.
#pragma once

#include "json/describe.hpp"
#include "kube/core/object_key.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::kube {

struct OwnerReference {
  std::string apiVersion, kind, name, uid;
  std::optional<bool> controller, blockOwnerDeletion;

  static void describe(auto& v) {
    v.field("apiVersion", &OwnerReference::apiVersion).required();
    v.field("kind", &OwnerReference::kind).required();
    v.field("name", &OwnerReference::name).required();
    v.field("uid", &OwnerReference::uid).required();
    v.field("controller", &OwnerReference::controller);
    v.field("blockOwnerDeletion", &OwnerReference::blockOwnerDeletion);
  }
  friend bool operator==(const OwnerReference&, const OwnerReference&) = default;
};

// The document an object was decoded from, kept only where a patch made from the struct alone would be wrong: when list
// items hold members that our struct does not know (a changed list is written back whole, and they must survive), and
// when required members of the status were never written (the first patch must bring them). Plays no part in
// comparisons.
struct Origin {
  std::shared_ptr<const json::Value> document;
  friend bool operator==(const Origin&, const Origin&) { return true; }
};

// managedFields is left out on purpose: nobody of ours reads it, it is often the largest part of an object, and merge
// patches leave it alone.
struct ObjectMeta {
  std::string name, generateName;
  std::string namespace_;
  std::string uid, resourceVersion;
  std::int64_t generation = 0;
  std::optional<base::WallTime> creationTimestamp, deletionTimestamp;
  std::optional<std::int64_t> deletionGracePeriodSeconds;
  std::map<std::string, std::string> labels, annotations;
  std::vector<std::string> finalizers;
  std::vector<OwnerReference> ownerReferences;
  Origin origin;

  [[nodiscard]] ObjectKey key() const { return {namespace_, name}; }
  [[nodiscard]] bool beingDeleted() const { return deletionTimestamp.has_value(); }
  // nullptr when there is none.
  [[nodiscard]] const std::string* annotation(const std::string& key) const;
  [[nodiscard]] const std::string* label(const std::string& key) const;
  [[nodiscard]] bool ownedBy(std::string_view ownerUid) const;

  static void describe(auto& v) {
    v.field("name", &ObjectMeta::name);
    v.field("generateName", &ObjectMeta::generateName);
    v.field("namespace", &ObjectMeta::namespace_);
    v.field("uid", &ObjectMeta::uid);
    v.field("resourceVersion", &ObjectMeta::resourceVersion);
    v.field("generation", &ObjectMeta::generation);
    v.field("creationTimestamp", &ObjectMeta::creationTimestamp);
    v.field("deletionTimestamp", &ObjectMeta::deletionTimestamp);
    v.field("deletionGracePeriodSeconds", &ObjectMeta::deletionGracePeriodSeconds);
    v.field("labels", &ObjectMeta::labels);
    v.field("annotations", &ObjectMeta::annotations);
    v.field("finalizers", &ObjectMeta::finalizers);
    v.field("ownerReferences", &ObjectMeta::ownerReferences);
  }
  friend bool operator==(const ObjectMeta&, const ObjectMeta&) = default;
};

}  // namespace ingot::kube

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::kube::ObjectMeta>();
