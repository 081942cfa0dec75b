// Serves what CustomResourceDefinitions define: defines their kinds, marks them Established, and on deletion removes
// their objects first.
#pragma once

#include "apiserver/crd/definition.hpp"
#include "apiserver/crd/kind_converter.hpp"
#include "apiserver/crd/naming.hpp"
#include "apiserver/registry/registry.hpp"
#include "apiserver/schema/catalog.hpp"
#include "base/runtime.hpp"
#include "base/sync.hpp"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ingot::apiserver {

class CrdController {
 public:
  using Admission = std::map<GroupResource, std::vector<std::shared_ptr<const KindRules>>>;
  CrdController(base::Runtime runtime, Registry& registry, Catalog& catalog, Admission admission,
                KindConverters converters);

  // Before registry.start(): defines the kinds of every stored definition.
  void defineStored();
  // Creates or updates a definition given as a document. After run() has begun.
  [[nodiscard]] base::Task<void> install(json::Value crd);
  // Returns once `name` is Established; throws base::TimedOut.
  [[nodiscard]] base::Task<void> established(std::string name, base::Duration limit);
  // Until cancelled. `group` runs what may go on side by side, so that writes share commits.
  [[nodiscard]] base::Task<void> run(base::TaskGroup& group);

  [[nodiscard]] static ConvertibleKinds kindsOf(const KindConverters& converters);

 private:
  struct Defined {
    std::string uid;
    std::int64_t generation = 0;  // of the spec that was read
    json::Object names;           // that it has: status.acceptedNames
    std::shared_ptr<CrdDocument> document;
  };

  void enqueue(const std::string& name);
  void namesReleased(const std::string& group);
  [[nodiscard]] base::Task<void> attempt(base::TaskGroup& group, std::string name);
  [[nodiscard]] base::Task<void> retryLater(std::string name);
  [[nodiscard]] base::Task<bool> settle(std::string name);  // true: to be tried again
  [[nodiscard]] base::Task<void> accept(ObjectPtr object, json::Value crd);
  [[nodiscard]] base::Task<bool> remove(ObjectPtr object, json::Value crd, bool usable);
  [[nodiscard]] base::Task<bool> instancesLeft(GroupResource id);
  [[nodiscard]] base::Task<void> say(std::string name, json::Value crd, json::Object status);
  void define(const ObjectPtr& object, const json::Value& crd, const json::Object& names);
  [[nodiscard]] std::optional<std::string> problemOf(const json::Value& crd) const;
  [[nodiscard]] TakenNames takenBesides(const std::string& name) const;
  [[nodiscard]] json::Value namesOf(const std::string& name, const json::Value& crd) const;
  [[nodiscard]] static bool serves(const Defined& known, const json::Value& crd, const json::Object& names);
  [[nodiscard]] bool isDefined(const json::Value& crd) const;  // with this spec
  [[nodiscard]] std::vector<std::shared_ptr<const KindRules>> rulesOf(const CrdDefinition& definition) const;
  void forget(const std::string& name);
  [[nodiscard]] ObjectPtr stored(const std::string& name) const;

  base::Runtime runtime_;
  Registry& registry_;
  Catalog& catalog_;
  Admission admission_;
  KindConverters converters_;
  ConvertibleKinds convertible_;
  std::set<std::string> waiting_, retrying_;
  std::set<std::string> inConflict_;  // definitions that ask for a name of another one
  base::Notifier changed_;
  std::map<std::string, Defined> defined_;  // by name
};

}  // namespace ingot::apiserver
