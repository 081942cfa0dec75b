// Serves what CustomResourceDefinitions define: defines their kinds, marks them Established, and on deletion removes
// their objects first.
#pragma once

#include "apiserver/registry/registry.hpp"
#include "apiserver/schema/catalog.hpp"
#include "base/runtime.hpp"
#include "base/sync.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ingot::apiserver {

class CrdController {
 public:
  using Admission = std::map<GroupResource, std::vector<std::shared_ptr<const KindRules>>>;
  CrdController(base::Runtime runtime, Registry& registry, Catalog& catalog, Admission admission);

  // Before registry.start(): defines the kinds of every stored definition.
  void defineStored();
  // Creates or updates a definition given as a document. After run() has begun.
  [[nodiscard]] base::Task<void> install(json::Value crd);
  // Returns once `name` is Established; throws base::TimedOut.
  [[nodiscard]] base::Task<void> established(std::string name, base::Duration limit);
  // Until cancelled.
  [[nodiscard]] base::Task<void> run();

 private:
  [[nodiscard]] base::Task<void> settle(std::string name);
  [[nodiscard]] base::Task<void> remove(std::string name, json::Value crd);
  [[nodiscard]] base::Task<void> accept(std::string name, json::Value crd);
  void define(const json::Value& crd);
  void forget(const json::Value& crd);
  [[nodiscard]] ObjectPtr stored(const std::string& name) const;

  base::Runtime runtime_;
  Registry& registry_;
  Catalog& catalog_;
  Admission admission_;
  std::set<std::string> waiting_;
  base::Notifier changed_;
  std::map<std::string, std::string> defined_;  // name → its spec when it was defined
};

}  // namespace ingot::apiserver
