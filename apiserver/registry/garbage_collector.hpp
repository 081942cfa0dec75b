// Removes what lost its owners, and finishes foreground and orphaning deletions (spec/kubernetes-api.md §4.10).
#pragma once

#include "apiserver/registry/ownership.hpp"
#include "apiserver/registry/remover.hpp"
#include "apiserver/registry/writer.hpp"
#include "base/runtime.hpp"
#include "base/sync.hpp"
#include "base/task.hpp"

#include <set>

namespace ingot::apiserver {

class GarbageCollector {
 public:
  GarbageCollector(base::Runtime runtime, Store& store, const Kinds& kinds, Writer& writer, Remover& remover,
                   base::TaskGroup& group);

  // Looks at everything once: call when all kinds are defined.
  void begin();
  void observe(const std::string& resource, const Event& event);
  // A kind was defined: references to it can be judged now.
  void kindsChanged();
  [[nodiscard]] base::Task<void> run();  // until cancelled

 private:
  void enqueue(const Slot& slot);
  void enqueueOwner(const Object& dependent, const OwnerLink& link);
  [[nodiscard]] base::Task<void> attempt(Slot slot);
  [[nodiscard]] base::Task<void> judge(Slot slot, ObjectPtr object);
  [[nodiscard]] base::Task<void> finishDeletion(Slot slot, ObjectPtr object);
  [[nodiscard]] base::Task<void> retryLater(Slot slot);
  [[nodiscard]] base::Task<void> dropReferences(Slot slot, std::string uid, std::vector<std::string> ownerUids);
  [[nodiscard]] base::Task<void> dropFinalizer(Slot slot, std::string uid, std::string finalizer);
  [[nodiscard]] base::Task<void> warnOfForeignOwner(Slot slot, ObjectPtr object);

  base::Runtime runtime_;
  Store& store_;
  const Kinds& kinds_;
  Writer& writer_;
  Remover& remover_;
  base::TaskGroup& group_;
  Dependents dependents_;
  std::set<Slot> queue_;
  base::Notifier wake_;
  bool begun_ = false;
};

}  // namespace ingot::apiserver
