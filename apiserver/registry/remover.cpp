#include "apiserver/registry/remover.hpp"

#include "apiserver/registry/errors.hpp"
#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/storable.hpp"

namespace ingot::apiserver {
namespace {

constexpr std::string_view orphan = "orphan", foreground = "foregroundDeletion";

std::vector<std::string> finalizersFor(Propagation propagation, std::vector<std::string> finalizers) {
  const auto without = [&](std::string_view name) { std::erase(finalizers, name); };
  const auto with = [&](std::string_view name) {
    if (std::find(finalizers.begin(), finalizers.end(), name) == finalizers.end()) finalizers.emplace_back(name);
  };
  switch (propagation) {
    case Propagation::unset: break;
    case Propagation::background: without(orphan), without(foreground); break;
    case Propagation::foreground: without(orphan), with(foreground); break;
    case Propagation::orphan: without(foreground), with(orphan); break;
  }
  return finalizers;
}

bool isNamespace(const ResourceInfo& info) { return info.group.empty() && info.plural == "namespaces"; }

bool held(const ResourceInfo& info, const json::Value& document) {
  if (!finalizersOf(document.at("metadata").get_object()).empty()) return true;
  if (!isNamespace(info)) return false;
  const auto* own = json::arrayAt(document, {"spec", "finalizers"});
  return own && !own->empty();
}

void requirePreconditions(const Kind& kind, const Object& current, const DeleteOptions& options) {
  if (options.uid && *options.uid != current.uid) {
    throw preconditionFailed(kind.info, current.key.name,
                             fmt::format("the UID in the precondition ({}) does not match the UID in record ({}). The "
                                         "object might have been deleted and then recreated",
                                         *options.uid, current.uid));
  }
  const std::string revision = std::to_string(current.revision);
  if (options.resourceVersion && *options.resourceVersion != revision) {
    throw preconditionFailed(
        kind.info, current.key.name,
        fmt::format("the ResourceVersion in the precondition ({}) does not match the ResourceVersion in record ({}). "
                    "The object might have been modified",
                    *options.resourceVersion, revision));
  }
}

}  // namespace

RemovalDecision decideRemoval(const ResourceInfo& info, json::Value document, Propagation propagation,
                              base::WallTime now) {
  RemovalDecision decision;
  auto& metadata = metadataOf(document);
  const auto before = finalizersOf(metadata);
  const auto after = finalizersFor(propagation, before);
  setFinalizers(metadata, after);
  const bool already = metadata.contains("deletionTimestamp");
  if (!held(info, document)) {
    decision.outcome = RemovalDecision::Outcome::erase;
  } else if (!already) {
    beginDeletion(document, info, now);
    if (isNamespace(info)) json::makeObjectAt(document, {"status"})["phase"] = "Terminating";
    decision.outcome = RemovalDecision::Outcome::mark;
  } else if (before != after) {
    decision.outcome = RemovalDecision::Outcome::mark;
  }
  decision.document.emplace(std::move(document));
  return decision;
}

base::Task<Deleted> Remover::remove(Target target, DeleteOptions options) {
  const auto kind = kinds_.require(target, "delete");
  auto context = WriteContext{
      .operation = Operation::remove, .version = target.version, .dryRun = options.dryRun, .user = options.user};
  ObjectKey key{kind->info.namespaced ? target.space : "", target.name};
  return apply(kind, std::move(key), std::move(options), std::move(context), true);
}

base::Task<ObjectPtr> Remover::removeQuietly(KindPtr kind, ObjectKey key, std::string uid, Propagation propagation) {
  DeleteOptions options;
  options.propagation = propagation;
  options.uid = std::move(uid);
  try {
    co_return (co_await apply(kind, std::move(key), std::move(options), {}, false)).object;
  } catch (const ApiError& e) {
    if (e.code() == 404 || e.code() == 409) co_return nullptr;
    throw;
  }
}

base::Task<Deleted> Remover::apply(KindPtr kind, ObjectKey key, DeleteOptions options, WriteContext context,
                                   bool admitted) {
  while (true) {
    const auto current = store_.find(kind->stored, key);
    if (!current) throw notFound(kind->info, key.name);
    requirePreconditions(*kind, *current, options);
    json::Value document = transientDocumentOf(*current);
    Deleted deleted{.object = current, .gone = false, .warnings = {}};
    if (admitted) kind->admitDelete(document, context, deleted.warnings);

    auto decision = decideRemoval(kind->info, std::move(document), options.propagation, runtime_.clock.wall());
    deleted.gone = decision.outcome == RemovalDecision::Outcome::erase;
    if (decision.outcome == RemovalDecision::Outcome::keep) co_return deleted;
    if (options.dryRun) {
      if (!deleted.gone) deleted.object = storable(*decision.document, current->revision, limitsOfDeletion(*current));
      co_return deleted;
    }
    auto build = storing(std::move(*decision.document), limitsOfDeletion(*current));
    try {
      deleted.object = deleted.gone ? co_await store_.erase(kind->stored, key, current, std::move(build))
                                    : co_await store_.put(kind->stored, key, current, std::move(build));
      co_return deleted;
    } catch (const StoreError& e) {
      if (e.code() != StoreError::Code::stale) throw storeRefused(e);
    }
  }
}

}  // namespace ingot::apiserver
