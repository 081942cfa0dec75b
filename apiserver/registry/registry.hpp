// Kubernetes object semantics over the store: what the HTTP layer calls, once per request.
//
// Every operation throws ApiError for what a client is told, base::Cancelled when cancelled (a write that was already
// handed to the store still happens). A write that returned is durable and every later read and watch sees it.
// Objects come back as `Object` (shared, immutable, compact JSON text in the *storage* version): send `body` as it is,
// or use present() when the request's version needs another shape.
#pragma once

#include "apiserver/registry/kind_rules.hpp"
#include "apiserver/registry/options.hpp"
#include "apiserver/registry/resource_info.hpp"
#include "apiserver/registry/watch.hpp"
#include "apiserver/store/store.hpp"
#include "base/runtime.hpp"
#include "base/task.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ingot::apiserver {

struct RegistryOptions {
  base::Duration bookmarkInterval = std::chrono::minutes(1);
  base::Duration futureRevisionWait = std::chrono::seconds(3);
  base::Duration sweepInterval = std::chrono::seconds(30);  // objects past their time to live
  std::size_t mostBytesPerExpiringKind = 64u << 20;         // past that the oldest Events go before their time
  int patchRetries = 32;                                    // races of one patch before it is answered 409
};

class Registry {
 public:
  // Core kinds (core_resources.hpp) are defined from the start.
  Registry(base::Runtime runtime, Store& store, RegistryOptions options = {});
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  // Creates default, kube-system, kube-public, kube-node-lease and starts garbage collection, namespace termination
  // and expiry. Kinds of stored CRDs must be defined before: an owner of an unknown kind is never collected, but
  // namespace termination would miss content of kinds that nobody defined.
  [[nodiscard]] base::Task<void> start();
  // Waits until the registry cannot go on (its disk or a part of its own work failed) and throws why.
  [[nodiscard]] base::Task<void> untilFailed();
  // Ends every watch and the background work. Writes already handed to the store complete.
  [[nodiscard]] base::Task<void> stop();

  // --- kinds ---------------------------------------------------------------------------------------------------
  // Adds or replaces (by group and plural). Objects that are stored already are prepared anew by the new rules (in
  // memory: a default added to a schema shows on old objects).
  void define(ResourceInfo info, std::vector<std::shared_ptr<const KindRules>> rules);
  void addRules(const GroupResource& id, std::shared_ptr<const KindRules> rules);
  // From now on nothing of this custom kind is created (403); everything else goes on.
  void terminate(const GroupResource& id);
  // Ends its watches. Its objects stay stored: terminate it and delete them first (deleteInstances).
  void undefine(const GroupResource& id);
  // Removes every object of the kind, which need not be defined; finalizers are honoured. Returns how many are left or
  // still on their way to the disk: of a terminated kind 0 means that there will be none.
  [[nodiscard]] base::Task<std::size_t> deleteInstances(GroupResource id);

  // As the kind is defined now; whoever holds on to it keeps this definition.
  [[nodiscard]] ResourceInfoPtr find(const GroupResource& id) const;
  [[nodiscard]] ResourceInfoPtr findKind(std::string_view group, std::string_view kind) const;
  [[nodiscard]] std::vector<ResourceInfoPtr> resources() const;  // by group, then plural
  [[nodiscard]] std::uint64_t definitionsChanged() const;        // grows with define/undefine: for discovery

  // --- operations ----------------------------------------------------------------------------------------------
  [[nodiscard]] base::Task<Written> create(Target target, json::Value object, WriteOptions options = {});
  [[nodiscard]] base::Task<ObjectPtr> get(Target target, GetOptions options = {});
  [[nodiscard]] base::Task<Listed> list(Target target, ListOptions options = {});
  [[nodiscard]] base::Task<Written> update(Target target, json::Value object, WriteOptions options = {});

  // `change` edits the current object (in the version of the request) in place; it may run several times and throws
  // ApiError to refuse. A metadata.resourceVersion that it sets is a precondition.
  using Change = std::function<void(json::Value& object)>;
  [[nodiscard]] base::Task<Written> patch(Target target, Change change, WriteOptions options = {});

  [[nodiscard]] base::Task<Deleted> remove(Target target, DeleteOptions options = {});
  [[nodiscard]] base::Task<std::vector<ObjectPtr>> removeCollection(Target target, DeleteOptions options,
                                                                    ListOptions which);
  // Refusals that belong before the stream (422, 500 for "abc") are thrown; an expired version is its first event.
  [[nodiscard]] std::unique_ptr<Watch> watch(Target target, WatchOptions options = {});

  // --- for the layers beside it ----------------------------------------------------------------------------------
  // `object` as a client of `version` sees it: body untouched when the version stores as it is. Throws ApiError (500)
  // when it cannot be converted.
  [[nodiscard]] std::string present(const ResourceInfo& info, std::string_view version, const Object& object) const;

  // The same as a document, in memory that is given back all at once: for what is read and dropped.
  [[nodiscard]] json::Value presentDocument(const ResourceInfo& info, std::string_view version,
                                            const Object& object) const;

  // Objects of `version` are converted, which may fail for single ones.
  [[nodiscard]] bool converts(const ResourceInfo& info, const std::string& version) const;
  // An object as it is stored, nullptr for none, and every one of the kind: for rules that look beyond their own kind.
  [[nodiscard]] ObjectPtr stored(const GroupResource& id, const ObjectKey& key) const;
  void eachObject(const GroupResource& id, const std::function<void(const Object&)>& visit) const;

  // Called on the loop for each durable change, in order; `next` is null when the object has gone. Must not block.
  using Observer = std::function<void(const GroupResource& id, const ObjectPtr& previous, const ObjectPtr& next)>;
  void observe(Observer observer);

  [[nodiscard]] Store& store();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ingot::apiserver
