#include "kube/runtime/cache_base.hpp"

#include "base/yield.hpp"
#include "kube/core/undecoded.hpp"
#include "kube/runtime/own_writes.hpp"

namespace ingot::kube {
namespace {

bool isSameVersion(const ObjectMeta& a, const ObjectMeta& b) {
  return a.uid == b.uid && a.resourceVersion == b.resourceVersion;
}

}  // namespace

// One watcher, what it has told, and the list it is telling.
class CacheBase::Scope final : public WatchSink {
 public:
  Scope(CacheBase& cache, std::string namespace_, WatcherOptions options)
      : cache_(cache),
        namespace_(std::move(namespace_)),
        watcher_(cache.runtime_, cache.api_, cache.resource_, std::move(options), *this) {}

  [[nodiscard]] base::Task<void> run() { return watcher_.run(); }
  [[nodiscard]] bool synced() const { return synced_; }
  [[nodiscard]] const std::string& resourceVersion() const { return resourceVersion_; }
  [[nodiscard]] const std::optional<Unserved>& unserved() const { return unserved_; }
  [[nodiscard]] OwnWrites& ownWrites() { return ownWrites_; }
  [[nodiscard]] bool covers(const ObjectKey& key) const { return namespace_.empty() || namespace_ == key.namespace_; }

  void listStarted() override {
    listed_.clear();
    unreadable_.clear();
  }

  void listed(json::Value object) override {
    const ObjectKey key = keyOf(object);
    const std::string uid = json::textAt(object, {"metadata", "uid"});
    if (auto decoded = cache_.decode(std::move(object)))
      listed_[key] = std::move(decoded);
    else
      listedUnreadable(key, uid);
  }

  void listedTooDeep(const json::Value& object) override {
    cache_.tellTooDeep(keyOf(object));
    listedUnreadable(keyOf(object), json::textAt(object, {"metadata", "uid"}));
  }

  // The list shows as a whole: nobody sees one half of it beside the other half of what was there before.
  base::Task<void> listFinished(std::string resourceVersion) override {
    auto unreadable = std::exchange(unreadable_, {});
    auto& hidden = cache_.options_.unreadable;
    std::erase_if(hidden, [&](const ObjectKey& key) { return listed_.contains(key); });
    unreadable.insert(hidden.begin(), hidden.end());
    auto differences = co_await cache_.differences(namespace_, std::exchange(listed_, {}));
    std::erase_if(cache_.unreadable_, [&](const ObjectKey& key) { return covers(key); });
    cache_.unreadable_.merge(unreadable);
    const bool first = !std::exchange(synced_, true);
    unserved_.reset();
    resourceVersion_ = std::move(resourceVersion);
    for (auto& difference : differences) {
      if (difference.after)
        cache_.put(std::move(difference.after), first);
      else
        cache_.drop(difference.key);
    }
    progressed();
    cache_.changed_.notifyAll();
  }

  void changed(json::Value object) override {
    const ObjectKey key = keyOf(object);
    const std::string uid = json::textAt(object, {"metadata", "uid"});
    if (auto decoded = cache_.decode(std::move(object))) {
      cache_.forgetUnreadable(key);
      return cache_.put(std::move(decoded), false);
    }
    changedUnreadable(key, uid);
  }

  void changedTooDeep(const json::Value& object) override {
    cache_.tellTooDeep(keyOf(object));
    changedUnreadable(keyOf(object), json::textAt(object, {"metadata", "uid"}));
  }

  void deleted(json::Value object) override {
    const ObjectKey key = keyOf(object);
    cache_.forgetUnreadable(key);
    cache_.drop(key);
  }

  void advanced(const std::string& resourceVersion) override {
    resourceVersion_ = resourceVersion;
    progressed();
  }

  void notServed(const Unserved& unserved) override { unserved_ = unserved; }

 private:
  void listedUnreadable(const ObjectKey& key, const std::string& uid) {
    unreadable_.insert(key);
    if (auto last = cache_.lastReadable(key, uid)) listed_[key] = std::move(last);
  }

  void changedUnreadable(const ObjectKey& key, const std::string& uid) {
    cache_.unreadable_.insert(key);
    if (!cache_.lastReadable(key, uid)) cache_.drop(key);  // what it showed was another object of that name
  }

  void progressed() {
    cache_.caughtUp(ownWrites_.takeUpTo(resourceVersion_));
    cache_.caughtUp(ownWrites_.takeHeld([this](const ObjectKey& key) { return cache_.versionOf(key); }));
  }

  CacheBase& cache_;
  std::string namespace_;
  Watcher watcher_;
  Objects listed_;
  std::set<ObjectKey> unreadable_;  // of the list in progress
  OwnWrites ownWrites_;
  std::string resourceVersion_;
  bool synced_ = false;
  std::optional<Unserved> unserved_;
};

CacheBase::CacheBase(base::Runtime runtime, Api& api, Resource resource, CacheOptions options, ObjectCodec codec)
    : runtime_(runtime.named("cache")),
      api_(api),
      resource_(std::move(resource)),
      options_(std::move(options)),
      codec_(std::move(codec)),
      objects_(runtime_.clock, codec_.text),
      unreadable_(options_.unreadable),
      changed_(runtime.executor) {}

CacheBase::~CacheBase() = default;

void CacheBase::start(base::TaskGroup& tasks) {
  auto namespaces = options_.namespaces;
  if (namespaces.empty() || !resource_.namespaced) namespaces = {""};
  for (auto& namespace_ : namespaces) {
    WatcherOptions watcher = options_.watcher;
    watcher.namespace_ = namespace_;
    watcher.labelSelector = options_.labelSelector;
    watcher.fieldSelector = options_.fieldSelector;
    scopes_.push_back(std::make_unique<Scope>(*this, namespace_, std::move(watcher)));
    tasks.spawn("watch " + resource_.name(), scopes_.back()->run());
  }
  if (options_.packAfter > base::Duration{}) tasks.spawn("pack " + resource_.name(), packUntouched());
}

// A little at a time, so that nobody waits for it.
base::Task<void> CacheBase::packUntouched() {
  constexpr std::size_t atOnce = 50;
  while (true) {
    const bool more = objects_.packUntouchedSince(runtime_.clock.now() - options_.packAfter, atOnce);
    co_await runtime_.clock.sleepFor(more ? std::chrono::milliseconds(20) : std::chrono::milliseconds(1000));
  }
}

bool CacheBase::isSynced() const {
  return !scopes_.empty() && std::ranges::all_of(scopes_, [](const auto& scope) { return scope->synced(); });
}

base::Task<void> CacheBase::synced() {
  while (!isSynced()) co_await changed_.wait();
}

std::shared_ptr<const void> CacheBase::findObject(const ObjectKey& key) const { return objects_.find(key); }

void CacheBase::eachObject(const std::optional<std::string>& namespace_,
                           const std::function<void(const std::shared_ptr<const void>&)>& visit) const {
  objects_.each(namespace_, visit);
}

std::optional<Unserved> CacheBase::unserved() const {
  for (const auto& scope : scopes_)
    if (scope->unserved()) return scope->unserved();
  return std::nullopt;
}

bool CacheBase::isWaitedFor() const {
  return std::ranges::any_of(scopes_, [](const auto& scope) {
    return scope->unserved() && scope->unserved()->why != Unserved::Why::notInstalled;
  });
}

bool CacheBase::anyUnreadableIn(const std::string& namespace_) const {
  if (isWaitedFor()) return true;
  const auto first = unreadable_.lower_bound({namespace_, ""});
  return first != unreadable_.end() && first->namespace_ == namespace_;
}

// --- what the watches tell -------------------------------------------------------------------------------------------

std::shared_ptr<const void> CacheBase::decode(json::Value document) const {
  const ObjectKey key = keyOf(document);
  try {
    return codec_.decode(std::move(document));
  } catch (const json::DecodeError& e) {
    runtime_.log.error(
        "an object does not fit its kind and is not seen",
        {{"resource", resource_.name()}, {"object", key.namespace_ + "/" + key.name}, {"error", e.what()}});
    return nullptr;
  }
}

void CacheBase::tellTooDeep(const ObjectKey& key) const {
  runtime_.log.error("an object is nested too deep and is not seen",
                     {{"resource", resource_.name()}, {"object", key.namespace_ + "/" + key.name}});
}

// The last good state is better than a false deletion. It is no state of another object of the same name.
std::shared_ptr<const void> CacheBase::lastReadable(const ObjectKey& key, const std::string& uid) const {
  auto last = objects_.find(key);
  return last && metaOf(last).uid == uid ? last : nullptr;
}

void CacheBase::forgetUnreadable(const ObjectKey& key) {
  unreadable_.erase(key);
  options_.unreadable.erase(key);
}

void CacheBase::put(std::shared_ptr<const void> object, bool backlog) {
  const ObjectMeta& meta = metaOf(object);
  const ObjectKey key = meta.key();
  const auto before = objects_.put(key, object);
  if (!before) return tell({key, nullptr, object, backlog});
  const ObjectMeta& old = metaOf(before);
  if (old.uid != meta.uid) {  // deleted and made anew while we did not look
    tell({key, before, nullptr, false});
    tell({key, nullptr, object, backlog});
  } else if (old.resourceVersion != meta.resourceVersion) {
    tell({key, before, object, backlog});
  }
}

void CacheBase::drop(const ObjectKey& key) {
  if (const auto before = objects_.drop(key)) tell({key, before, nullptr, false});
  Scope* scope = scopeOf(key);
  if (!scope || !scope->ownWrites().contains(key)) return;
  scope->ownWrites().forget(key);
  caughtUp({key});
}

// What was there before is compared a little at a time, since reading what is packed takes long; what differs is held,
// so that it need not be read again. What is of the same version is replaced at once: nobody can tell.
base::Task<std::vector<CacheBase::Difference>> CacheBase::differences(std::string namespace_, Objects listed) {
  constexpr std::size_t atOnce = 50;
  std::vector<Difference> all;
  std::size_t compared = 0;
  for (const auto& key : objects_.keys(namespace_)) {
    if (listed.contains(key)) continue;
    all.push_back({key, objects_.find(key), nullptr});
    if (++compared % atOnce == 0) co_await base::yieldToLoop();
  }
  for (auto it = listed.begin(); it != listed.end(); it = listed.erase(it)) {
    auto before = objects_.find(it->first);
    if (before && isSameVersion(metaOf(before), metaOf(it->second)))
      objects_.put(it->first, std::move(it->second));
    else
      all.push_back({it->first, std::move(before), std::move(it->second)});
    if (++compared % atOnce == 0) co_await base::yieldToLoop();
  }
  co_return all;
}

// --- own writes ------------------------------------------------------------------------------------------------------

CacheBase::Scope* CacheBase::scopeOf(const ObjectKey& key) const {
  const auto it = std::ranges::find_if(scopes_, [&](const auto& scope) { return scope->covers(key); });
  return it == scopes_.end() ? nullptr : it->get();
}

bool CacheBase::hasSeenOwnWrites(const ObjectKey& key) const {
  Scope* scope = scopeOf(key);
  return !scope || !scope->ownWrites().contains(key);
}

void CacheBase::forgetOwnWrites(const ObjectKey& key) {
  if (Scope* scope = scopeOf(key)) scope->ownWrites().forget(key);
}

void CacheBase::expect(const ObjectKey& key, const std::string& resourceVersion) {
  Scope* scope = scopeOf(key);
  if (!scope || atLeastVersion(scope->resourceVersion(), resourceVersion)) return;
  if (versionOf(key) == resourceVersion) return;
  scope->ownWrites().add(key, resourceVersion);
}

std::string_view CacheBase::versionOf(const ObjectKey& key) const {
  const auto object = objects_.find(key);  // the cache holds it on, until it changes or grows cold
  return object ? std::string_view(metaOf(object).resourceVersion) : std::string_view();
}

void CacheBase::caughtUp(const std::vector<ObjectKey>& keys) const {
  for (const auto& key : keys) caughtUpListeners_.tell(key);
}

}  // namespace ingot::kube
