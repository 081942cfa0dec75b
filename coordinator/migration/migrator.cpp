#include "coordinator/migration/migrator.hpp"

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

kube::Resource resourceOf(const Definition& definition) {
  return {
      .group = definition.group, .version = definition.storage, .kind = definition.kind, .plural = definition.plural};
}

kube::ObjectKey keyOf(const json::Value& object) {
  return {json::textAt(object, {"metadata", "namespace"}), json::textAt(object, {"metadata", "name"})};
}

bool isOvertaken(const kube::Error& error) {
  return error.code() == kube::Error::Code::conflict || error.code() == kube::Error::Code::notFound;
}

}  // namespace

Migrator::Migrator(base::Runtime runtime, kube::Client& client, MigratorOptions options)
    : runtime_(std::move(runtime)), client_(client), options_(std::move(options)) {}

Task<void> Migrator::run() {
  while (true) {
    const bool isOver = co_await pass();
    co_await runtime_.clock.sleepFor(isOver ? options_.look : options_.again);
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
    if (trouble_.insert(name).second)
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
  if (phases.any()) co_await migrateObjects(definition, phases);
  co_await finish(name, definition, phases);
  co_return true;
}

Task<void> Migrator::migrateObjects(const Definition& definition, Phases phases) {
  std::string next;
  std::size_t count = 0;
  do {
    const json::Value listed = co_await page(definition, next);
    next = json::textAt(listed, {"metadata", "continue"});
    const auto* items = json::find(listed, {"items"});
    if (items == nullptr || !items->is_array()) continue;
    for (const auto& object : items->get_array()) {
      ++count;
      if (phases.storageVersion) co_await storeAnew(definition, object);
      if (phases.managedFields) co_await cleanFields(definition, object);
    }
  } while (!next.empty());
  runtime_.log.info("objects are stored in the present version",
                    {{"kind", definition.kind}, {"version", definition.storage}, {"objects", count}});
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
      if (error.code() == kube::Error::Code::notFound) co_return;
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
