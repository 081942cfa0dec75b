#include "kube/core/object_meta.hpp"

namespace ingot::kube {
namespace {

const std::string* valueAt(const std::map<std::string, std::string>& all, const std::string& key) {
  const auto it = all.find(key);
  return it == all.end() ? nullptr : &it->second;
}

}  // namespace

const std::string* ObjectMeta::annotation(const std::string& key) const { return valueAt(annotations, key); }
const std::string* ObjectMeta::label(const std::string& key) const { return valueAt(labels, key); }

bool ObjectMeta::ownedBy(std::string_view ownerUid) const {
  return std::ranges::any_of(ownerReferences, [&](const OwnerReference& r) { return r.uid == ownerUid; });
}

}  // namespace ingot::kube

template const ingot::json::Shape& ingot::json::shapeOf<ingot::kube::ObjectMeta>();
