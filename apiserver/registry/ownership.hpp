// Who depends on whom, and what the references of one object mean right now.
#pragma once

#include "apiserver/registry/kinds.hpp"
#include "apiserver/store/store.hpp"

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace ingot::apiserver {

struct Slot {
  std::string resource;  // as the store spells it
  ObjectKey key;
  friend auto operator<=>(const Slot&, const Slot&) = default;
};

// uid of an owner → objects that name it.
class Dependents {
 public:
  void change(const std::string& resource, const ObjectPtr& previous, const ObjectPtr& next);
  [[nodiscard]] std::vector<Slot> of(const std::string& uid) const;
  [[nodiscard]] std::vector<Slot> all() const;

 private:
  std::unordered_map<std::string, std::set<Slot>> slots_;
};

// Where the owner would be: nullopt when the reference's kind or version is unknown, or names a namespaced kind from
// a cluster-scoped object.
[[nodiscard]] std::optional<Slot> ownerSlot(const Kinds& kinds, const ObjectKey& dependent, const OwnerLink& link);

struct OwnerVerdict {
  std::vector<std::string> solid;    // owners that keep the object (also those that cannot be judged)
  std::vector<std::string> gone;     // uids without an object
  std::vector<std::string> waiting;  // owners that wait in foreground for this object to go
  // All owners are gone or wait for it.
  [[nodiscard]] bool collectable() const { return solid.empty() && !(gone.empty() && waiting.empty()); }
};
[[nodiscard]] OwnerVerdict judgeOwners(const Kinds& kinds, const Store& store, const Object& object);

[[nodiscard]] bool hasFinalizer(const Object& object, std::string_view finalizer);

}  // namespace ingot::apiserver
