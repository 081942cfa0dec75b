#include "kube/runtime/cache_base.hpp"

namespace ingot::kube {

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
  [[nodiscard]] bool covers(const ObjectKey& key) const { return namespace_.empty() || namespace_ == key.namespace_; }

  void listStarted() override { listed_.clear(); }

  void listed(json::Value object) override {
    const ObjectKey key{json::textAt(object, {"metadata", "namespace"}), json::textAt(object, {"metadata", "name"})};
    auto decoded = cache_.decode(std::move(object));
    if (!decoded) decoded = cache_.findObject(key);  // the last good state is better than a false deletion
    if (decoded) listed_[key] = std::move(decoded);
  }

  void listFinished(const std::string& resourceVersion) override {
    const bool first = !std::exchange(synced_, true);
    resourceVersion_ = resourceVersion;
    cache_.replaceAll(namespace_, std::exchange(listed_, {}), first);
    cache_.progressed(*this);
    cache_.changed_.notifyAll();
  }

  void changed(json::Value object) override {
    if (auto decoded = cache_.decode(std::move(object))) cache_.put(std::move(decoded), false);
  }

  void deleted(json::Value object) override {
    cache_.drop({json::textAt(object, {"metadata", "namespace"}), json::textAt(object, {"metadata", "name"})});
  }

  void advanced(const std::string& resourceVersion) override {
    resourceVersion_ = resourceVersion;
    cache_.progressed(*this);
  }

 private:
  CacheBase& cache_;
  std::string namespace_;
  Watcher watcher_;
  Objects listed_;
  std::string resourceVersion_;
  bool synced_ = false;
};

CacheBase::CacheBase(base::Runtime runtime, Api& api, Resource resource, CacheOptions options, ObjectCodec codec)
    : runtime_(runtime.named("cache")),
      api_(api),
      resource_(std::move(resource)),
      options_(std::move(options)),
      codec_(std::move(codec)),
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
}

bool CacheBase::isSynced() const {
  return !scopes_.empty() && std::ranges::all_of(scopes_, [](const auto& scope) { return scope->synced(); });
}

base::Task<void> CacheBase::synced() {
  while (!isSynced()) co_await changed_.wait();
}

std::shared_ptr<const void> CacheBase::findObject(const ObjectKey& key) const {
  const auto it = objects_.find(key);
  return it == objects_.end() ? nullptr : it->second;
}

void CacheBase::eachObject(const std::optional<std::string>& namespace_,
                           const std::function<void(const std::shared_ptr<const void>&)>& visit) const {
  auto it = namespace_ ? objects_.lower_bound({*namespace_, ""}) : objects_.begin();
  for (; it != objects_.end() && (!namespace_ || it->first.namespace_ == *namespace_); ++it) visit(it->second);
}

// --- what the watches tell -------------------------------------------------------------------------------------------

std::shared_ptr<const void> CacheBase::decode(json::Value document) const {
  const std::string name =
      json::textAt(document, {"metadata", "namespace"}) + "/" + json::textAt(document, {"metadata", "name"});
  try {
    return codec_.decode(std::move(document));
  } catch (const json::DecodeError& e) {
    runtime_.log.error("an object does not fit its kind and is not seen",
                       {{"resource", resource_.name()}, {"object", name}, {"error", e.what()}});
    return nullptr;
  }
}

void CacheBase::put(std::shared_ptr<const void> object, bool backlog) {
  const ObjectMeta& meta = metaOf(object);
  const ObjectKey key = meta.key();
  auto& place = objects_[key];
  const auto before = std::exchange(place, object);
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
  const auto it = objects_.find(key);
  if (it != objects_.end()) {
    const auto before = std::move(it->second);
    objects_.erase(it);
    tell({key, before, nullptr, false});
  }
  if (expected_.contains(key)) caughtUp({key});
}

void CacheBase::replaceAll(const std::string& namespace_, Objects listed, bool backlog) {
  std::vector<ObjectKey> gone;
  for (const auto& [key, object] : objects_)
    if ((namespace_.empty() || key.namespace_ == namespace_) && !listed.contains(key)) gone.push_back(key);
  for (const auto& key : gone) drop(key);
  for (auto& [key, object] : listed) put(std::move(object), backlog);
}

void CacheBase::tell(const AnyChange& change) const {
  for (const auto& listener : listeners_) listener(change);
}

// --- own writes ------------------------------------------------------------------------------------------------------

const CacheBase::Scope* CacheBase::scopeOf(const ObjectKey& key) const {
  const auto it = std::ranges::find_if(scopes_, [&](const auto& scope) { return scope->covers(key); });
  return it == scopes_.end() ? nullptr : it->get();
}

void CacheBase::expect(const ObjectKey& key, const std::string& resourceVersion) {
  const Scope* scope = scopeOf(key);
  if (!scope || atLeastVersion(scope->resourceVersion(), resourceVersion)) return;
  const auto object = findObject(key);
  if (object && metaOf(object).resourceVersion == resourceVersion) return;
  expected_[key] = resourceVersion;
}

void CacheBase::progressed(const Scope& scope) {
  std::vector<ObjectKey> seen;
  for (const auto& [key, version] : expected_) {
    const auto object = findObject(key);
    const bool same = object && metaOf(object).resourceVersion == version;
    if (scope.covers(key) && (same || atLeastVersion(scope.resourceVersion(), version))) seen.push_back(key);
  }
  if (!seen.empty()) caughtUp(seen);
}

void CacheBase::caughtUp(const std::vector<ObjectKey>& keys) {
  for (const auto& key : keys) expected_.erase(key);
  for (const auto& key : keys)
    for (const auto& listener : caughtUpListeners_) listener(key);
}

}  // namespace ingot::kube
