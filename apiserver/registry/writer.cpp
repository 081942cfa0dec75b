#include "apiserver/registry/writer.hpp"

#include "apiserver/registry/errors.hpp"
#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/storable.hpp"
#include "apiserver/registry/update_decision.hpp"
#include "apiserver/registry/versioned_write.hpp"

namespace ingot::apiserver {
namespace {

constexpr int nameRetries = 8;

void refuseGivenVersion(const json::Object& metadata) {
  const std::string given = textIn(metadata, "resourceVersion");
  if (given.empty() || given == "0") return;
  Status status;  // upstream gives this one no reason
  status.code = 500;
  status.message = "resourceVersion should not be set on objects to be created";
  throw ApiError(std::move(status));
}

void fillNamespace(json::Object& metadata, const Target& target, const ResourceInfo& info) {
  if (!info.namespaced) return;
  const std::string given = textIn(metadata, "namespace");
  if (!given.empty() && given != target.space) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  metadata["namespace"] = target.space;
}

ObjectKey keyOf(const json::Object& metadata, const ResourceInfo& info) {
  return {info.namespaced ? textIn(metadata, "namespace") : "", textIn(metadata, "name")};
}

bool isStale(const StoreError& error) { return error.code() == StoreError::Code::stale; }

}  // namespace

WriteContext contextOf(Operation operation, const Target& target, const WriteOptions& options) {
  WriteContext context;
  context.operation = operation;
  context.version = target.version;
  context.subresource = target.subresource;
  context.fieldValidation = options.fieldValidation;
  context.dryRun = options.dryRun;
  context.user = options.user;
  return context;
}

void Writer::requireRoom(const Kind& kind, const ObjectKey& key) const {
  const auto defined = kinds_.find(kind.info.id());
  if (!defined) throw unknownResource();
  if (defined->terminating)
    throw forbidden(kind.info, key.name, "create not allowed while custom resource definition is terminating");
  if (!kind.info.namespaced) return;
  const auto space = store_.find("namespaces", {"", key.space});
  if (!space) {
    ResourceInfo namespaces;
    namespaces.plural = "namespaces";
    throw notFound(namespaces, key.space);
  }
  if (space->deleting) throw namespaceTerminating(kind.info, key.name, key.space);
}

// Looks again when the store takes the object: it may have had to wait for another write to its key.
Store::Build Writer::creating(KindPtr kind, ObjectKey key, json::Value document) const {
  return [this, kind, key, build = storing(std::move(document))](Revision revision) {
    requireRoom(*kind, key);
    return build(revision);
  };
}

base::Task<Written> Writer::create(Target target, json::Value object, WriteOptions options) {
  const auto kind = kinds_.require(target, "create");
  const auto& info = kind->info;
  auto context = contextOf(Operation::create, target, options);
  Written written;
  written.created = true;

  auto& given = metadataOf(object);
  refuseGivenVersion(given);
  fillNamespace(given, target, info);
  const std::string givenName = textIn(given, "name");
  const bool generated = givenName.empty();
  kind->prepare(object, context, written.warnings);
  if (info.hasStatus(target.version)) object.get_object().erase("status");
  VersionedWrite write(*kind, context, nullptr);
  write.toStorage(object, givenName);

  for (int attempt = 0;; ++attempt) {
    json::Value document = object;
    beginLife(document, info, runtime_.clock.wall(), runtime_.random);
    const ObjectKey key = keyOf(metadataOf(document), info);
    requireRoom(*kind, key);
    context.replay = attempt > 0;
    write.mutate(document, nullptr, written.warnings);
    Warnings metadataWarnings;
    auto causes = kube::validateMetadata(metadataOf(document), info.nameRule, metadataWarnings);
    if (attempt == 0) std::move(metadataWarnings.begin(), metadataWarnings.end(), std::back_inserter(written.warnings));
    auto more = write.validate(document, nullptr, written.warnings);
    std::move(more.begin(), more.end(), std::back_inserter(causes));
    if (!causes.empty()) throw invalid(info, key.name, std::move(causes));
    kind->admit(document, nullptr, context, written.warnings);

    const bool retryName = generated && attempt < nameRetries;
    if (const auto existing = store_.find(kind->stored, key)) {
      if (retryName) continue;
      throw alreadyExists(info, key.name, existing->deleting);
    }
    if (options.dryRun) {
      written.object = storable(document, 0);
      co_return written;
    }
    try {
      written.object = co_await store_.put(kind->stored, key, nullptr, creating(kind, key, std::move(document)));
      co_return written;
    } catch (const StoreError& e) {
      if (!isStale(e)) throw storeRefused(e);
      if (!retryName) throw alreadyExists(info, key.name);
    }
  }
}

base::Task<Written> Writer::update(Target target, json::Value object, WriteOptions options) {
  const auto kind = kinds_.require(target, "update");
  auto context = contextOf(Operation::update, target, options);
  const ObjectKey key{target.space, target.name};
  if (kind->info.updateCreates && target.subresource.empty() && !store_.find(kind->stored, key)) {
    auto& metadata = metadataOf(object);
    if (textIn(metadata, "name") != target.name) {
      throw badRequest(fmt::format("the name of the object ({}) does not match the name on the URL ({})",
                                   textIn(metadata, "name"), target.name));
    }
    co_return co_await create(target, std::move(object), options);
  }
  const auto body = std::make_shared<json::Value>(std::move(object));
  co_return co_await modify(kind, target, [body](json::Value& current) { current = *body; }, context);
}

base::Task<Written> Writer::patch(Target target, Edit edit, WriteOptions options) {
  const auto kind = kinds_.require(target, "patch");
  auto context = contextOf(Operation::update, target, options);
  context.patch = true;
  return modify(kind, std::move(target), std::move(edit), std::move(context));
}

base::Task<Written> Writer::amend(KindPtr kind, ObjectKey key, Edit edit) {
  WriteContext context;
  context.operation = Operation::update;
  context.version = kind->info.storageVersion;
  context.fieldValidation = FieldValidation::ignore;
  context.patch = true;
  Target target{.group = kind->info.group,
                .version = context.version,
                .resource = kind->info.plural,
                .space = key.space,
                .name = key.name,
                .subresource = ""};
  return modify(std::move(kind), std::move(target), std::move(edit), std::move(context));
}

base::Task<Written> Writer::modify(KindPtr kind, Target target, Edit edit, WriteContext context) {
  const ObjectKey key{kind->info.namespaced ? target.space : "", target.name};
  for (int attempt = 0; attempt < retries_; ++attempt) {
    const auto current = store_.find(kind->stored, key);
    if (!current) throw notFound(kind->info, target.name);
    context.replay = attempt > 0;
    auto decision = decideUpdate(*kind, *current, edit, context, key);
    Written written{.object = current, .created = false, .warnings = std::move(decision.warnings)};
    if (decision.outcome == UpdateDecision::Outcome::keep) co_return written;
    if (context.dryRun) {
      written.object = storable(*decision.document, current->revision, limitsAfter(*current));
      co_return written;
    }
    const bool erase = decision.outcome == UpdateDecision::Outcome::erase;
    auto build = storing(std::move(*decision.document), limitsAfter(*current));
    try {
      written.object = erase ? co_await store_.erase(kind->stored, key, current, std::move(build))
                             : co_await store_.put(kind->stored, key, current, std::move(build));
      co_return written;
    } catch (const StoreError& e) {
      if (!isStale(e)) throw storeRefused(e);
      if (decision.conditional) throw staleWrite(kind->info, key.name);
    }
  }
  throw staleWrite(kind->info, key.name);
}

}  // namespace ingot::apiserver
