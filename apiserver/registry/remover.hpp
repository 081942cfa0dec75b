// DELETE: at once, or a deletionTimestamp while finalizers hold the object (spec/kubernetes-api.md §4.8).
#pragma once

#include "apiserver/registry/kinds.hpp"
#include "apiserver/registry/options.hpp"
#include "apiserver/store/store.hpp"
#include "base/runtime.hpp"

namespace ingot::apiserver {

// What deleting `document` means; pure.
struct RemovalDecision {
  enum class Outcome { keep, mark, erase };
  Outcome outcome = Outcome::keep;
  std::optional<json::Value> document;
};
[[nodiscard]] RemovalDecision decideRemoval(const ResourceInfo& info, json::Value document, Propagation propagation,
                                            base::WallTime now);

class Remover {
 public:
  Remover(base::Runtime runtime, Store& store, const Kinds& kinds)
      : runtime_(std::move(runtime)), store_(store), kinds_(kinds) {}

  [[nodiscard]] base::Task<Deleted> remove(Target target, DeleteOptions options);

  // As remove(), on the server's own behalf: no admission, and an object that is gone is no error (nullptr).
  [[nodiscard]] base::Task<ObjectPtr> removeQuietly(KindPtr kind, ObjectKey key, std::string uid,
                                                    Propagation propagation);

 private:
  [[nodiscard]] base::Task<Deleted> apply(KindPtr kind, ObjectKey key, DeleteOptions options, WriteContext context,
                                          bool admitted);
  base::Runtime runtime_;
  Store& store_;
  const Kinds& kinds_;
};

}  // namespace ingot::apiserver
