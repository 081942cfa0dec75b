#include "coordinator/migration/migrator.hpp"

#include "base/backoff.hpp"
#include "kube/core/error.hpp"

namespace ingot::coordinator::migration {
namespace {

using base::Task;

const kube::Resource definitions{.group = "apiextensions.k8s.io",
                                 .version = "v1",
                                 .kind = "CustomResourceDefinition",
                                 .plural = "customresourcedefinitions",
                                 .namespaced = false};
constexpr std::string_view metadataOnly = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
constexpr int triesAgainstOthers = 5;
constexpr std::size_t mostRefused = 100;  // in one look

kube::Resource resourceOf(const Definition& definition) {
  return {
      .group = definition.group, .version = definition.storage, .kind = definition.kind, .plural = definition.plural};
}

kube::ObjectKey keyOf(const json::Value& object) {
  return {json::textAt(object, {"metadata", "namespace"}), json::textAt(object, {"metadata", "name"})};
}

// A server that does not serve the version yet answers 404, too.
bool isGone(const kube::Error& error) {
  return error.code() == kube::Error::Code::notFound && error.status().reason == "NotFound";
}

bool isOvertaken(const kube::Error& error) { return error.code() == kube::Error::Code::conflict || isGone(error); }

// What other objects may be spared: a rule or a conversion that refuses this one.
bool isOfObject(const kube::Error& error) {
  using enum kube::Error::Code;
  return error.code() == invalid || error.code() == badRequest || error.code() == forbidden ||
         error.status().code == 500;
}

}  // namespace

Migrator::Migrator(base::Runtime runtime, kube::Client& client, MigratorOptions options)
    : runtime_(std::move(runtime)), client_(client), options_(std::move(options)) {}

Task<void> Migrator::run() {
  const base::Backoff pauses{.first = options_.again, .cap = options_.look};
  for (unsigned fruitless = 0;;) {
    isFurther_ = false;
    const bool isOver = co_await pass();
    fruitless = isFurther_ ? 0 : fruitless;
    co_await runtime_.clock.sleepFor(isOver ? options_.look : pauses.delay(fruitless++, runtime_.random));
    if (isOver) fruitless = 0;
  }
}

Task<bool> Migrator::pass() {
  bool isOver = true;
  for (const auto& name : options_.definitions) {
    std::string problem;
    try {
      isOver = co_await migrate(name) && isOver;
      trouble_.erase(name);
    } catch (const base::Cancelled&) {
      throw;
    } catch (const kube::Error& error) {
      problem = error.what();
    } catch (const base::Error& error) {
      problem = error.what();
    }
    if (problem.empty()) continue;
    isOver = false;
    if (std::exchange(trouble_[name], problem) != problem)
      runtime_.log.warn("objects of an old version are not migrated yet", {{"definition", name}, {"error", problem}});
  }
  co_return isOver;
}

// False: there is no such definition yet.
Task<bool> Migrator::migrate(std::string name) {
  const auto document = co_await client_.api().get(definitions, {"", name});
  if (!document) co_return false;
  const Definition definition = definitionIn(*document);
  const Phases phases = due(definition, options_.phases);
  if (definition.observed == definition.generation) co_return true;
  if (phases.any()) {
    Done& done = done_[name];
    if (std::exchange(done.generation, definition.generation) != definition.generation) done.uids.clear();
    co_await migrateObjects(definition, phases, done);
  }
  co_await finish(name, definition, phases);
  done_.erase(name);
  co_return true;
}

// Objects that the API refuses to store anew do not keep the others from it.
Task<void> Migrator::migrateObjects(const Definition& definition, Phases phases, Done& done) {
  std::string next, problem;
  std::size_t count = 0, refused = 0;
  do {
    const json::Value listed = co_await page(definition, next);
    next = json::textAt(listed, {"metadata", "continue"});
    const auto* items = json::find(listed, {"items"});
    if (items == nullptr || !items->is_array())
      throw base::Error(fmt::format("the list of {} has no items", definition.kind));
    for (const auto& object : items->get_array()) {
      ++count;
      const auto uid = json::textAt(object, {"metadata", "uid"});
      if (done.uids.contains(uid)) continue;
      try {
        co_await migrateOne(definition, phases, object);
        done.uids.insert(uid);
        isFurther_ = true;
      } catch (const kube::Error& error) {
        if (!isOfObject(error) || ++refused > mostRefused) throw;
        if (problem.empty()) problem = error.what();
      }
    }
  } while (!next.empty());
  if (refused > 0) throw base::Error(fmt::format("{} of {} objects: {}", refused, count, problem));
  runtime_.log.info("objects are stored in the present version",
                    {{"kind", definition.kind}, {"version", definition.storage}, {"objects", count}});
}

Task<void> Migrator::migrateOne(const Definition& definition, Phases phases, json::Value object) {
  if (phases.storageVersion) co_await storeAnew(definition, object);
  if (phases.managedFields) co_await cleanFields(definition, object);
}

Task<json::Value> Migrator::page(const Definition& definition, std::string continueToken) {
  return client_.api().raw(
      "GET",
      kube::collectionPath(resourceOf(definition), "", {{"limit", "500"}, {"continue", std::move(continueToken)}}),
      std::string(metadataOnly));
}

// Who changed or removed it in between has done the same.
Task<void> Migrator::storeAnew(const Definition& definition, const json::Value& object) {
  try {
    static_cast<void>(co_await client_.api().patch(resourceOf(definition), keyOf(object), kube::PatchType::merge,
                                                   storageMigration(definition, object)));
  } catch (const kube::Error& error) {
    if (!isOvertaken(error)) throw;
  }
}

// Another's write does not do this.
Task<void> Migrator::cleanFields(const Definition& definition, json::Value object) {
  const auto resource = resourceOf(definition);
  for (int left = triesAgainstOthers;; --left) {
    auto patch = managedFieldsCleanup(definition, object);
    if (!patch) co_return;
    try {
      static_cast<void>(
          co_await client_.api().patch(resource, keyOf(object), kube::PatchType::json, std::move(*patch)));
      co_return;
    } catch (const kube::Error& error) {
      if (isGone(error)) co_return;
      const bool isRace = error.code() == kube::Error::Code::conflict || error.code() == kube::Error::Code::invalid;
      if (!isRace || left == 0) throw;
    }
    object = co_await client_.api().raw("GET", kube::objectPath(resource, keyOf(object)));
  }
}

// The status first: the annotation says that all of it is done.
Task<void> Migrator::finish(std::string name, Definition definition, Phases phases) {
  const kube::ObjectKey key{"", std::move(name)};
  const auto guarded = [&definition](json::Object object) {
    auto& metadata = object["metadata"];
    if (!metadata.is_object()) metadata = json::Object{};
    metadata.get_object()["resourceVersion"] = definition.resourceVersion;
    return object;
  };
  if (phases.storageVersion)
    definition = definitionIn(co_await client_.api().patch(
        definitions, key, kube::PatchType::merge,
        guarded({{"status", json::Object{{"storedVersions", json::Array{definition.storage}}}}}), "status"));
  json::Object annotations{{observedAnnotation, std::to_string(definition.generation)}};
  static_cast<void>(
      co_await client_.api().patch(definitions, key, kube::PatchType::merge,
                                   guarded({{"metadata", json::Object{{"annotations", std::move(annotations)}}}})));
}

}  // namespace ingot::coordinator::migration
