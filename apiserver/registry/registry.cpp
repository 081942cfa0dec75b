#include "apiserver/registry/registry.hpp"

#include "apiserver/registry/core_resources.hpp"
#include "apiserver/registry/crowd.hpp"
#include "apiserver/registry/errors.hpp"
#include "apiserver/registry/expiry.hpp"
#include "apiserver/registry/garbage_collector.hpp"
#include "apiserver/registry/kinds.hpp"
#include "apiserver/registry/namespace_terminator.hpp"
#include "apiserver/registry/reader.hpp"
#include "apiserver/registry/remover.hpp"
#include "apiserver/registry/writer.hpp"
#include "base/vital.hpp"

namespace ingot::apiserver {

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
        expiry(runtime, store, kinds, remover, tasks, options.sweepInterval) {}

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

  // What was stored under older rules, perhaps in another version, is read as the new ones say.
  void prepareStored(const Kind& kind) {
    if (!kind.info.custom || kind.rules.empty()) return;
    store.refresh(kind.stored, [&](const Object& object) -> ObjectPtr {
      const json::Value before = documentOf(object);
      json::Value after = before;
      try {
        bringUpToDate(kind, after);
      } catch (const ApiError& problem) {
        runtime.log.warn("a stored object cannot be converted", {{"name", object.key.name}, {"error", problem.what()}});
        return nullptr;
      }
      if (json::equal(before, after)) return nullptr;
      return makeObject(after, object.revision);
    });
  }

  static void bringUpToDate(const Kind& kind, json::Value& document) {
    WriteContext context;
    context.version = GroupVersion::parse(json::textAt(document, {"apiVersion"})).version;
    context.fieldValidation = FieldValidation::ignore;
    Warnings ignored;
    kind.prepare(document, context, ignored);
    if (context.version != kind.info.storageVersion) kind.toStorage(document, context.version);
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
  void wakeWatches(const std::string& resource) { store.changed(resource).notifyAll(); }
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

base::Task<std::size_t> Registry::deleteInstances(GroupResource id) {
  const auto kind = state_->kinds.find(id);
  if (!kind) co_return 0;
  std::vector<Job> jobs;
  for (const auto& [key, object] : state_->store.objects(kind->stored)) {
    if (!object->deleting) jobs.push_back([this, kind, object = object] { return state_->removeOne(kind, object); });
  }
  co_await runAll(state_->tasks, state_->runtime.executor, std::move(jobs));
  co_return state_->store.objects(kind->stored).size();
}

const ResourceInfo* Registry::find(const GroupResource& id) const {
  const auto kind = state_->kinds.find(id);
  return kind ? &kind->info : nullptr;
}

const ResourceInfo* Registry::findKind(std::string_view group, std::string_view kind) const {
  const auto found = state_->kinds.findKind(group, kind);
  return found ? &found->info : nullptr;
}

std::vector<const ResourceInfo*> Registry::resources() const {
  std::vector<const ResourceInfo*> infos;
  for (const auto& kind : state_->kinds.all()) infos.push_back(&kind->info);
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
  if (!kind || kind->storesAsIs(version)) return object.body;
  json::Value document = documentOf(object);
  kind->fromStorage(document, std::string(version));
  return json::serialize(document);
}

bool Registry::converts(const ResourceInfo& info, const std::string& version) const {
  const auto kind = state_->kinds.find(info.id());
  return kind && kind->converts(version);
}

void Registry::eachObject(const GroupResource& id, const std::function<void(const Object&)>& visit) const {
  for (const auto& [key, object] : state_->store.objects(id.text())) visit(*object);
}

void Registry::observe(Observer observer) { state_->observers.push_back(std::move(observer)); }
Store& Registry::store() { return state_->store; }

}  // namespace ingot::apiserver
