#include "apiserver/registry/ownership.hpp"

#include "apiserver/registry/metadata.hpp"

namespace ingot::apiserver {

void Dependents::change(const std::string& resource, const ObjectPtr& previous, const ObjectPtr& next) {
  if (previous) {
    for (const auto& link : previous->owners) {
      const auto at = slots_.find(link.uid);
      if (at == slots_.end()) continue;
      at->second.erase({resource, previous->key});
      if (at->second.empty()) slots_.erase(at);
    }
  }
  if (!next) return;
  for (const auto& link : next->owners) slots_[link.uid].insert({resource, next->key});
}

std::vector<Slot> Dependents::of(const std::string& uid) const {
  const auto at = slots_.find(uid);
  if (at == slots_.end()) return {};
  return {at->second.begin(), at->second.end()};
}

std::vector<Slot> Dependents::all() const {
  std::vector<Slot> found;
  for (const auto& [uid, slots] : slots_) found.insert(found.end(), slots.begin(), slots.end());
  return found;
}

std::optional<Slot> ownerSlot(const Kinds& kinds, const ObjectKey& dependent, const OwnerLink& link) {
  const auto version = GroupVersion::parse(link.apiVersion);
  const auto kind = kinds.findKind(version.group, link.kind);
  if (!kind || !kind->info.findVersion(version.version)) return std::nullopt;
  if (kind->info.namespaced && dependent.space.empty()) return std::nullopt;
  return Slot{kind->stored, {kind->info.namespaced ? dependent.space : "", link.name}};
}

bool hasFinalizer(const Object& object, std::string_view finalizer) {
  std::string room;
  if (object.body.view(room).find(finalizer) == std::string_view::npos)
    return false;  // spares the reading in most cases
  const json::Value document = documentOf(object);
  const auto finalizers = finalizersOf(document.at("metadata").get_object());
  return std::find(finalizers.begin(), finalizers.end(), finalizer) != finalizers.end();
}

namespace {

// An owner that cannot be read still exists: nobody deleted it.
bool isUnreadable(const Store& store, const Slot& slot) {
  return store.unreadable().contains({slot.resource, slot.key});
}

}  // namespace

OwnerVerdict judgeOwners(const Kinds& kinds, const Store& store, const Object& object) {
  OwnerVerdict verdict;
  for (const auto& link : object.owners) {
    const auto slot = ownerSlot(kinds, object.key, link);
    const auto owner = slot ? store.find(slot->resource, slot->key) : nullptr;
    const bool isThere = owner && owner->uid == link.uid;
    if (slot && !isThere && !isUnreadable(store, *slot)) {
      verdict.gone.push_back(link.uid);
    } else if (isThere && owner->deleting && hasFinalizer(*owner, "foregroundDeletion")) {
      verdict.waiting.push_back(link.uid);
    } else {
      verdict.solid.push_back(link.uid);
    }
  }
  return verdict;
}

}  // namespace ingot::apiserver
