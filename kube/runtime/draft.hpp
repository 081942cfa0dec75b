// Edits to one object, collected until they leave together. Guarantees of save():
//  - at most one merge patch for metadata and spec and one for the status, in that order; none when nothing changed;
//  - both carry the resourceVersion the edits were decided on, the second the one the first was answered with: somebody
//    else's write in between is Error{conflict}, never overwritten;
//  - members of the object that our structs do not know survive, also inside changed lists;
//  - when the first patch removed the last finalizer of an object in deletion, there is nothing left to write a status
//  to.
#pragma once

#include "kube/client/client.hpp"
#include "kube/runtime/cache.hpp"

#include <memory>
#include <utility>

namespace ingot::kube {

// What a draft comes down to. Empty objects: nothing to write.
struct DraftPatches {
  json::Value main;    // all but status, with metadata.resourceVersion
  json::Value status;  // {"status": …}, without it
};

// Pure. `document`: what the struct before was decoded from, or nullptr.
[[nodiscard]] DraftPatches planPatches(json::Differences what, const json::Value* document, bool statusSubresource);
// Puts the guard into a patch.
void guardPatch(json::Value& patch, const std::string& resourceVersion);

template <Kind T>
class Draft {
 public:
  explicit Draft(T seen) : before_(std::move(seen)), object_(before_) {}
  explicit Draft(const std::shared_ptr<const T>& seen) : Draft(*seen) {}

  [[nodiscard]] T& operator*() { return object_; }
  [[nodiscard]] T* operator->() { return &object_; }
  [[nodiscard]] const T& operator*() const { return object_; }
  [[nodiscard]] const T* operator->() const { return &object_; }
  [[nodiscard]] const T& before() const { return before_; }
  [[nodiscard]] ObjectKey key() const { return before_.metadata.key(); }
  [[nodiscard]] DraftPatches patches() const;
  [[nodiscard]] bool changed() const;

  // The object as the server now has it; no edits.
  void rebase(T stored) {
    before_ = std::move(stored);
    object_ = before_;
  }
  // As rebase, keeping the edits of the status.
  void rebaseMain(T stored);

 private:
  T before_, object_;
};

enum class Saved { nothing, written, gone };  // gone: it was in deletion and lost its last finalizer

// Afterwards the draft is the server's answer, without edits. With `cache`, that one learns what to wait for.
template <Kind T>
[[nodiscard]] base::Task<Saved> save(Client& client, Draft<T>& draft, Cache<T>* cache = nullptr);

}  // namespace ingot::kube

#include "kube/runtime/draft_impl.hpp"
