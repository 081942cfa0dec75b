#include "apiserver/registry/registry.hpp"

#include "apiserver/registry/core_resources.hpp"
#include "apiserver/registry/errors.hpp"
#include "apiserver/registry/expiry.hpp"
#include "apiserver/registry/garbage_collector.hpp"
#include "apiserver/registry/kinds.hpp"
#include "apiserver/registry/namespace_terminator.hpp"
#include "apiserver/registry/reader.hpp"
#include "apiserver/registry/remover.hpp"
#include "apiserver/registry/worker_pool.hpp"
#include "apiserver/registry/writer.hpp"
#include "base/vital.hpp"

namespace ingot::apiserver {

namespace {

ResourceInfoPtr infoOf(const KindPtr& kind) { return kind ? ResourceInfoPtr(kind, &kind->info) : nullptr; }

// The kind of objects whose definition cannot be served. It holds enough to delete them.
KindPtr unservedKind(const GroupResource& id) {
  auto kind = std::make_shared<Kind>();
  kind->info.group = id.group;
  kind->info.plural = id.resource;
  kind->info.custom = true;
  kind->stored = id.text();
  return kind;
}

}  // namespace

struct Registry::State {
  State(base::Runtime r, Store& s, RegistryOptions options)
      : runtime(std::move(r)),
        store(s),
        vital(runtime.executor, runtime.log),
        writer(runtime, store, kinds, options.patchRetries),
        remover(runtime, store, kinds),
        reader(runtime, store, kinds, {options.futureRevisionWait, options.bookmarkInterval}),
        collector(runtime, store, kinds, writer, remover, tasks),
        terminator(runtime, store, kinds, writer, remover, tasks),
        expiry(runtime, store, kinds, remover, tasks, {options.sweepInterval, options.mostBytesPerExpiringKind}) {}

  base::Runtime runtime;
  Store& store;
  Kinds kinds;
  base::VitalTasks vital;
  base::TaskGroup& tasks = vital.group();
  Writer writer;
  Remover remover;
  Reader reader;
  GarbageCollector collector;
  NamespaceTerminator terminator;
  Expiry expiry;
  std::vector<Observer> observers;
  bool stopping = false;

  void observe(const std::string& resource, const Event& event) {
    collector.observe(resource, event);
    terminator.observe(resource, event);
    expiry.observe(resource, event);
    if (observers.empty()) return;
    const auto kind = kinds.findStored(resource);
    if (!kind) return;
    for (const auto& observer : observers) observer(kind->info.id(), event.previous, event.next);
  }

  // Prepares objects that were stored under older rules, perhaps in another version, by the present rules.
  void prepareStored(const Kind& kind) {
    if (!kind.info.custom || kind.rules.empty()) return;
    store.refresh(kind.stored, [&](const Object& object) -> ObjectPtr {
      const json::Value before = documentOf(object);
      json::Value after = before;
      try {
        kind.upgrade(after);
        if (json::equal(before, after)) return nullptr;
        return makePrepared(after, object.revision);
      } catch (const base::Error& problem) {
        runtime.log.warn("a stored object cannot be converted", {{"name", object.key.name}, {"error", problem.what()}});
        return nullptr;
      }
    });
  }

  base::Task<void> ensureNamespace(std::string name) {
    if (store.find("namespaces", {"", name})) co_return;
    json::Value body = {{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", name}}}};
    (void)co_await writer.create({.group = "", .version = "v1", .resource = "namespaces"}, std::move(body), {});
  }

  base::Task<void> removeOne(KindPtr kind, ObjectPtr object) {
    (void)co_await remover.removeQuietly(kind, object->key, object->uid, Propagation::background);
  }

  base::Task<void> removeInto(Target target, DeleteOptions options, std::shared_ptr<std::vector<ObjectPtr>> touched) {
    try {
      touched->push_back((co_await remover.remove(std::move(target), std::move(options))).object);
    } catch (const ApiError& e) {
      if (e.code() != 404) throw;  // gone meanwhile: what was wanted
    }
  }

  // Lets every watch look at whether it has ended.
  void wakeWatches(const std::string& resource) { store.wakeFollowers(resource); }
};

Registry::Registry(base::Runtime runtime, Store& store, RegistryOptions options)
    : state_(std::make_unique<State>(runtime.named("registry"), store, options)) {
  for (auto& built : builtInKinds()) state_->kinds.define(std::move(built.info), std::move(built.rules));
  store.observe(
      [state = state_.get()](const std::string& resource, const Event& event) { state->observe(resource, event); });
}

Registry::~Registry() = default;

base::Task<void> Registry::start() {
  for (const auto* name : {"default", "kube-system", "kube-public", "kube-node-lease"}) {
    co_await state_->ensureNamespace(name);
  }
  state_->collector.begin();
  state_->terminator.begin();
  state_->expiry.begin();
  state_->vital.spawn("garbage collection", state_->collector.run());
  state_->vital.spawn("expiry", state_->expiry.run());
  state_->vital.spawn("storage", state_->store.untilFailed());
}

base::Task<void> Registry::untilFailed() { return state_->vital.failed(); }

base::Task<void> Registry::stop() {
  state_->stopping = true;
  for (const auto& kind : state_->kinds.all()) state_->wakeWatches(kind->stored);
  co_await state_->vital.close();
}

void Registry::define(ResourceInfo info, std::vector<RulesPtr> rules) {
  const auto id = info.id();
  const auto replaced = state_->kinds.define(std::move(info), std::move(rules));
  if (replaced) state_->wakeWatches(replaced->stored);
  state_->prepareStored(*state_->kinds.find(id));
  state_->collector.kindsChanged();
}

void Registry::addRules(const GroupResource& id, RulesPtr rules) {
  if (const auto kind = state_->kinds.find(id)) kind->rules.push_back(std::move(rules));
}

void Registry::undefine(const GroupResource& id) {
  if (const auto removed = state_->kinds.undefine(id)) state_->wakeWatches(removed->stored);
}

void Registry::terminate(const GroupResource& id) {
  if (const auto kind = state_->kinds.find(id); kind && kind->info.custom) kind->terminating = true;
}

base::Task<std::size_t> Registry::deleteInstances(GroupResource id) {
  const auto defined = state_->kinds.find(id);
  const auto kind = defined ? defined : unservedKind(id);
  std::vector<Job> jobs;
  for (const auto& [key, object] : state_->store.objects(kind->stored)) {
    if (!object->deleting) jobs.push_back([this, kind, object = object] { return state_->removeOne(kind, object); });
  }
  co_await runAll(state_->tasks, state_->runtime.executor, std::move(jobs));
  co_return state_->store.objects(kind->stored).size() + (state_->store.writingTo(kind->stored) ? 1 : 0);
}

ResourceInfoPtr Registry::find(const GroupResource& id) const { return infoOf(state_->kinds.find(id)); }

ResourceInfoPtr Registry::findKind(std::string_view group, std::string_view kind) const {
  return infoOf(state_->kinds.findKind(group, kind));
}

std::vector<ResourceInfoPtr> Registry::resources() const {
  std::vector<ResourceInfoPtr> infos;
  for (const auto& kind : state_->kinds.all()) infos.push_back(infoOf(kind));
  return infos;
}

std::uint64_t Registry::definitionsChanged() const { return state_->kinds.changes(); }

base::Task<Written> Registry::create(Target target, json::Value object, WriteOptions options) {
  return state_->writer.create(std::move(target), std::move(object), std::move(options));
}

base::Task<ObjectPtr> Registry::get(Target target, GetOptions options) {
  return state_->reader.get(std::move(target), std::move(options));
}

base::Task<Listed> Registry::list(Target target, ListOptions options) {
  return state_->reader.list(std::move(target), std::move(options));
}

base::Task<Written> Registry::update(Target target, json::Value object, WriteOptions options) {
  return state_->writer.update(std::move(target), std::move(object), std::move(options));
}

base::Task<Written> Registry::patch(Target target, Change change, WriteOptions options) {
  return state_->writer.patch(std::move(target), std::move(change), std::move(options));
}

base::Task<Deleted> Registry::remove(Target target, DeleteOptions options) {
  return state_->remover.remove(std::move(target), std::move(options));
}

base::Task<std::vector<ObjectPtr>> Registry::removeCollection(Target target, DeleteOptions options, ListOptions which) {
  (void)state_->kinds.require(target, "deletecollection");
  const auto page = co_await state_->reader.list(target, std::move(which));
  const auto touched = std::make_shared<std::vector<ObjectPtr>>();
  std::vector<Job> jobs;
  for (const auto& object : page.items) {
    Target one = target;
    one.space = object->key.space;
    one.name = object->key.name;
    jobs.push_back([this, one, options, touched] { return state_->removeInto(one, options, touched); });
  }
  co_await runAll(state_->tasks, state_->runtime.executor, std::move(jobs));
  co_return *touched;
}

std::unique_ptr<Watch> Registry::watch(Target target, WatchOptions options) {
  return state_->reader.watch(target, options, state_->stopping);
}

std::string Registry::present(const ResourceInfo& info, std::string_view version, const Object& object) const {
  const auto kind = state_->kinds.find(info.id());
  std::string text = object.body.text();
  if (!kind) return text;
  const bool current = kind->isCurrentText(text);
  if (current && kind->storesAsIs(version)) return text;
  json::Value document = json::parse(text);
  if (!current) kind->upgrade(document);
  if (!kind->storesAsIs(version)) kind->fromStorage(document, std::string(version));
  return json::serialize(document);
}

json::Value Registry::presentDocument(const ResourceInfo& info, std::string_view version, const Object& object) const {
  const auto kind = state_->kinds.find(info.id());
  json::Value document = transientDocumentOf(object);
  if (kind && !kind->isCurrent(document)) kind->upgrade(document);
  if (kind && !kind->storesAsIs(version)) kind->fromStorage(document, std::string(version));
  return document;
}

bool Registry::converts(const ResourceInfo& info, const std::string& version) const {
  const auto kind = state_->kinds.find(info.id());
  return kind && kind->converts(version);
}

ObjectPtr Registry::stored(const GroupResource& id, const ObjectKey& key) const {
  return state_->store.find(id.text(), key);
}

void Registry::eachObject(const GroupResource& id, const std::function<void(const Object&)>& visit) const {
  for (const auto& [key, object] : state_->store.objects(id.text())) visit(*object);
}

void Registry::observe(Observer observer) { state_->observers.push_back(std::move(observer)); }
Store& Registry::store() { return state_->store; }

}  // namespace ingot::apiserver
