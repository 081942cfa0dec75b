// The arguments of the registry's operations, already parsed: HTTP checks the spelling of query parameters.
#pragma once

#include "apiserver/registry/kind_rules.hpp"
#include "apiserver/store/object.hpp"
#include "base/clock.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ingot::apiserver {

// Which object or collection a request is about.
struct Target {
  std::string group, version, resource;
  std::string space;        // namespace; empty for cluster-scoped kinds and for "all namespaces"
  std::string name;         // empty for collections
  std::string subresource;  // "", "status", "finalize" (namespaces)
};

struct WriteOptions {
  bool dryRun = false;
  FieldValidation fieldValidation = FieldValidation::warn;
  std::string fieldManager;
  std::string user;
};

enum class VersionMatch { unset, exact, notOlderThan };

struct GetOptions {
  std::string resourceVersion;  // as given: "", "0", "17"
};

struct ListOptions {
  std::string resourceVersion;
  VersionMatch match = VersionMatch::unset;
  std::int64_t limit = 0;  // <= 0: none
  std::string continueToken;
  std::string labelSelector, fieldSelector;
  bool sendInitialEvents = false;  // forbidden for lists: refused with 422
};

enum class Propagation { unset, background, foreground, orphan };

struct DeleteOptions {
  bool dryRun = false;
  Propagation propagation = Propagation::unset;
  std::optional<std::string> uid;  // preconditions
  std::optional<std::string> resourceVersion;
  std::string user;
};

struct WatchOptions {
  std::string resourceVersion;
  VersionMatch match = VersionMatch::unset;
  std::optional<bool> sendInitialEvents;
  bool allowBookmarks = false;
  std::string labelSelector, fieldSelector;
  std::optional<base::Duration> timeout;  // none given: 30–60 min at random
};

struct Written {
  ObjectPtr object;  // dryRun create: without resourceVersion
  bool created = false;
  Warnings warnings;
};

struct Deleted {
  ObjectPtr object;   // its last state, or with deletionTimestamp while finalizers hold it
  bool gone = false;  // true: answer Status Success with details.uid
  Warnings warnings;
};

struct Listed {
  std::vector<ObjectPtr> items;  // by namespace, then name
  Revision revision = 0;         // metadata.resourceVersion
  std::string continueToken;
  std::optional<std::int64_t> remaining;  // remainingItemCount; absent under a selector
};

}  // namespace ingot::apiserver
