// The part of a cache that does not depend on the kind: what came from the watches, who wants to know, and whether our
// own last write has come back.
#pragma once

#include "base/sync.hpp"
#include "kube/core/resource_version.hpp"
#include "kube/runtime/cached_objects.hpp"
#include "kube/runtime/subscription.hpp"
#include "kube/runtime/watcher.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::kube {

struct CacheOptions {
  std::vector<std::string> namespaces;  // empty: all
  std::string labelSelector, fieldSelector;
  WatcherOptions watcher;  // its namespace and selectors are overwritten
  // Objects that nobody has read or changed for so long are kept packed; zero: never. Not for Secrets: a packed value
  // is not wiped.
  base::Duration packAfter{};
  // Objects that the API server holds and cannot read itself: it lists and tells of none of them (unreadable.hpp).
  std::set<ObjectKey> unreadable;
};

class CacheBase {
 public:
  struct AnyChange {
    ObjectKey key;
    std::shared_ptr<const void> before, after;
    bool backlog = false;
  };

  virtual ~CacheBase();
  CacheBase(const CacheBase&) = delete;
  CacheBase& operator=(const CacheBase&) = delete;

  // Starts watching; the cache outlives `tasks`' close().
  void start(base::TaskGroup& tasks);
  [[nodiscard]] bool isSynced() const;      // the first list of every namespace is in
  [[nodiscard]] base::Task<void> synced();  // throws Cancelled
  [[nodiscard]] std::size_t size() const { return objects_.size(); }
  [[nodiscard]] std::size_t packed() const { return objects_.packed(); }  // how many of them: see packAfter
  [[nodiscard]] std::vector<ObjectKey> keys() const { return objects_.keys(""); }
  [[nodiscard]] const Resource& resource() const { return resource_; }

  // Objects that exist but whose present state does not fit our struct, is nested too deep, or cannot be read by the
  // API server. The cache still shows the last state that could be read, or nothing when there was none. Whoever
  // concludes from the cache that something is gone, or unused, must ask here too.
  [[nodiscard]] const std::set<ObjectKey>& unreadable() const { return unreadable_; }
  // So are all of a kind that the server has in other versions only, or has no more.
  [[nodiscard]] bool isUnreadable(const ObjectKey& key) const { return unreadable_.contains(key) || isWaitedFor(); }
  [[nodiscard]] bool anyUnreadableIn(const std::string& namespace_) const;
  // In order. Good until the cache changes.
  using Unreadables = std::ranges::subrange<std::set<ObjectKey>::const_iterator>;
  [[nodiscard]] Unreadables unreadableIn(const std::string& namespace_) const {
    const auto from = unreadable_.lower_bound({namespace_, ""});
    const auto isOther = [&](const ObjectKey& key) { return key.namespace_ != namespace_; };
    return {from, std::find_if(from, unreadable_.end(), isOther)};
  }

  // nullopt: the server serves this kind, as far as we know.
  [[nodiscard]] std::optional<Unserved> unserved() const;

  // Our own write was answered with this version: until the watch has told of it, what the cache holds of this key is
  // known to be old.
  void expect(const ObjectKey& key, const std::string& resourceVersion);
  [[nodiscard]] bool hasSeenOwnWrites(const ObjectKey& key) const;
  // Stops waiting for it: for when the watch does not bring it in any sensible time.
  void forgetOwnWrites(const ObjectKey& key);
  // Called for each key whose last own write has been seen.
  Subscription listenCaughtUp(std::function<void(const ObjectKey&)> listener) {
    return caughtUpListeners_.add(std::move(listener));
  }

  Subscription listenAny(std::function<void(const AnyChange&)> listener) { return listeners_.add(std::move(listener)); }

 protected:
  struct ObjectCodec {
    std::function<std::shared_ptr<const void>(json::Value)> decode;
    const ObjectMeta& (*meta)(const void*);
    CachedObjects::TextCodec text;
  };
  CacheBase(base::Runtime runtime, Api& api, Resource resource, CacheOptions options, ObjectCodec codec);

  [[nodiscard]] std::shared_ptr<const void> findObject(const ObjectKey& key) const;
  void eachObject(const std::optional<std::string>& namespace_,
                  const std::function<void(const std::shared_ptr<const void>&)>& visit) const;

 private:
  class Scope;  // one watcher and the list in progress
  using Objects = std::map<ObjectKey, std::shared_ptr<const void>>;
  struct Difference {
    ObjectKey key;
    std::shared_ptr<const void> before, after;  // after == nullptr: it is gone
  };

  [[nodiscard]] bool isWaitedFor() const;
  [[nodiscard]] base::Task<void> packUntouched();
  void put(std::shared_ptr<const void> object, bool backlog);
  void drop(const ObjectKey& key);
  // How the object of this uid looked when it could be read; nullptr: it never could.
  [[nodiscard]] std::shared_ptr<const void> lastReadable(const ObjectKey& key, const std::string& uid) const;
  void forgetUnreadable(const ObjectKey& key);
  [[nodiscard]] base::Task<std::vector<Difference>> differences(std::string namespace_, Objects listed);
  void caughtUp(const std::vector<ObjectKey>& keys) const;
  [[nodiscard]] std::string_view versionOf(const ObjectKey& key) const;  // "" when there is none
  // nullptr, and a line in the log, when our struct cannot hold it.
  [[nodiscard]] std::shared_ptr<const void> decode(json::Value document) const;
  void tellTooDeep(const ObjectKey& key) const;
  [[nodiscard]] const ObjectMeta& metaOf(const std::shared_ptr<const void>& object) const {
    return codec_.meta(object.get());
  }
  [[nodiscard]] Scope* scopeOf(const ObjectKey& key) const;  // nullptr: not watched
  void tell(const AnyChange& change) const { listeners_.tell(change); }

  base::Runtime runtime_;
  Api& api_;
  Resource resource_;
  CacheOptions options_;
  ObjectCodec codec_;
  CachedObjects objects_;
  std::set<ObjectKey> unreadable_;
  std::vector<std::unique_ptr<Scope>> scopes_;
  Listeners<AnyChange> listeners_;
  Listeners<ObjectKey> caughtUpListeners_;
  base::Notifier changed_;
};

}  // namespace ingot::kube
