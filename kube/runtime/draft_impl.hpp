// Templates of kube/runtime/draft.hpp.
#pragma once

#include "kube/runtime/draft.hpp"

namespace ingot::kube {

template <Kind T>
DraftPatches Draft<T>::patches() const {
  const json::Value* document = before_.metadata.origin.document.get();
  return planPatches(json::differences(before_, object_, document), document, T::info.statusSubresource);
}

template <Kind T>
bool Draft<T>::changed() const {
  return !json::same(before_, object_);
}

template <Kind T>
void Draft<T>::rebaseMain(T stored) {
  if constexpr (KindWithStatus<T>) {
    auto edited = std::move(object_.status);
    rebase(std::move(stored));
    object_.status = std::move(edited);
  } else {
    rebase(std::move(stored));
  }
}

template <Kind T>
base::Task<Saved> save(Client& client, Draft<T>& draft, Cache<T>* cache) {
  if (!draft.changed()) co_return Saved::nothing;
  DraftPatches patches = draft.patches();
  const bool writesStatus = !json::isEmptyPatch(patches.status);
  const ObjectKey key = draft.key();

  if (!json::isEmptyPatch(patches.main)) {
    guardPatch(patches.main, draft.before().metadata.resourceVersion);
    T stored = co_await client.template patch<T>(key, std::move(patches.main));
    if (cache) cache->expect(key, stored.metadata.resourceVersion);
    const bool gone = stored.metadata.beingDeleted() && stored.metadata.finalizers.empty();
    draft.rebaseMain(std::move(stored));
    if (gone) co_return Saved::gone;
  }
  if (writesStatus) {
    guardPatch(patches.status, draft.before().metadata.resourceVersion);
    T stored = co_await client.template patchStatus<T>(key, std::move(patches.status));
    if (cache) cache->expect(key, stored.metadata.resourceVersion);
    draft.rebase(std::move(stored));
  }
  co_return Saved::written;
}

}  // namespace ingot::kube
