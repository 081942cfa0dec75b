// Empties namespaces that are being deleted, then lets them go (spec/kubernetes-api.md §4.9).
#pragma once

#include "apiserver/registry/remover.hpp"
#include "apiserver/registry/writer.hpp"
#include "base/runtime.hpp"
#include "base/sync.hpp"
#include "base/task.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ingot::apiserver {

// What is left in a namespace: counts by "plural.group" and by finalizer.
struct Remaining {
  std::map<std::string, int> byResource, byFinalizer;
  [[nodiscard]] bool empty() const { return byResource.empty(); }
};
// The five conditions of a namespace that waits, in upstream's words.
[[nodiscard]] json::Array terminationConditions(const Remaining& remaining, const std::string& now);

class NamespaceTerminator {
 public:
  NamespaceTerminator(base::Runtime runtime, Store& store, const Kinds& kinds, Writer& writer, Remover& remover,
                      base::TaskGroup& group)
      : runtime_(std::move(runtime)), store_(store), kinds_(kinds), writer_(writer), remover_(remover), group_(group) {}

  void begin();
  void observe(const std::string& resource, const Event& event);

 private:
  struct Ending;  // a namespace that is being deleted
  void take(const std::string& name);
  [[nodiscard]] base::Task<void> terminate(std::string name);
  [[nodiscard]] base::Task<bool> pass(std::string name, Ending& ending);
  [[nodiscard]] base::Task<void> advance(std::string name, Ending& ending);
  [[nodiscard]] bool isEmpty(const std::string& name) const;
  [[nodiscard]] base::Task<void> empty(std::string name);
  [[nodiscard]] base::Task<void> removeOne(KindPtr kind, ObjectPtr object);
  [[nodiscard]] Remaining remaining(const std::string& name) const;
  [[nodiscard]] base::Task<void> report(std::string name, Remaining remaining);
  [[nodiscard]] base::Task<void> finalize(std::string name);

  base::Runtime runtime_;
  Store& store_;
  const Kinds& kinds_;
  Writer& writer_;
  Remover& remover_;
  base::TaskGroup& group_;
  std::map<std::string, std::shared_ptr<Ending>> active_;  // by name
  bool begun_ = false;
};

}  // namespace ingot::apiserver
