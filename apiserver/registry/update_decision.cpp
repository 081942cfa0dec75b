#include "apiserver/registry/update_decision.hpp"

#include "apiserver/registry/errors.hpp"
#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/versioned_write.hpp"

namespace ingot::apiserver {
namespace {

bool sameMember(const json::Object& a, const json::Object& b, std::string_view member) {
  const auto *x = a.if_contains(member), *y = b.if_contains(member);
  if (!x || !y) return !x && !y;
  return json::equal(*x, *y);
}

void takeMember(json::Object& to, const json::Object& from, std::string_view member) {
  if (const auto* value = from.if_contains(member)) {
    to[member] = *value;
  } else {
    to.erase(member);
  }
}

void requireSameIdentity(const Kind& kind, const json::Object& wanted, const json::Object& old, const ObjectKey& asked,
                         const WriteContext& context) {
  if (const std::string name = textIn(wanted, "name"); !name.empty() && name != asked.name) {
    throw badRequest(
        fmt::format("the name of the object ({}) does not match the name on the URL ({})", name, asked.name));
  }
  if (const std::string space = textIn(wanted, "namespace");
      kind.info.namespaced && !space.empty() && space != asked.space) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  const std::string uid = textIn(wanted, "uid"), stored = textIn(old, "uid");
  if (context.patch || uid.empty() || uid == stored) return;
  throw conflict(kind.info, asked.name,
                 fmt::format("Precondition failed: UID in precondition: {}, UID in object meta: {}", uid, stored));
}

// Whether the client named a version; throws when it is not the current one.
bool requireVersion(const Kind& kind, const json::Object& wanted, const Object& current, const WriteContext& context) {
  const std::string given = textIn(wanted, "resourceVersion");
  if (given.empty() || (given == "0" && !context.patch)) {
    if (!context.patch && kind.info.updateNeedsVersion) throw versionRequired(kind.info, current.key.name);
    return false;
  }
  const bool same = given == fmt::format_int(current.revision).c_str();
  if (!same) throw staleWrite(kind.info, current.key.name);
  return !context.patch;  // a patch carries the current version unless it sets another
}

// Only what the addressed part of the object may carry remains of `wanted`.
void restrictToPart(const Kind& kind, json::Object& wanted, const json::Object& old, const WriteContext& context) {
  if (context.subresource.empty()) {
    if (kind.info.hasStatus(context.version) && !sameMember(wanted, old, "status")) takeMember(wanted, old, "status");
    return;
  }
  const std::string_view part = context.subresource == "finalize" ? "spec" : "status";
  for (const auto& [member, value] : old) {
    const std::string_view name(member);
    if (name != part && !sameMember(wanted, old, name)) wanted[name] = value;
  }
  if (wanted.size() <= old.size() + (old.contains(part) ? 0 : 1)) return;
  std::vector<std::string> foreign;
  for (const auto& [member, value] : wanted) {
    if (!old.contains(member) && std::string_view(member) != part) foreign.emplace_back(member);
  }
  for (const auto& member : foreign) wanted.erase(member);
}

// In the part that `subresource` may change (the other parts are equal by now); "": anywhere but metadata.
bool contentChanged(const json::Object& wanted, const json::Object& old, const std::string& subresource) {
  if (!subresource.empty()) return !sameMember(wanted, old, subresource == "finalize" ? "spec" : "status");
  const auto counts = [](std::string_view key) { return key != "metadata" && key != "apiVersion" && key != "kind"; };
  return std::any_of(
             wanted.begin(), wanted.end(),
             [&](const auto& member) { return counts(member.key()) && !sameMember(wanted, old, member.key()); }) ||
         std::any_of(old.begin(), old.end(),
                     [&](const auto& member) { return counts(member.key()) && !wanted.contains(member.key()); });
}

// The object as the version of the request shows it, where that has a form of its own, and what is left of it.
class RequestedForm {
 public:
  RequestedForm(const Kind& kind, const json::Value& wanted, const WriteContext& context)
      : kind_(kind), context_(context), converts_(kind.converts(context.version)) {
    if (!converts_) return;
    before_.emplace(wanted);
    Warnings unheard;
    kind_.prepare(*before_, context_, unheard);
  }

  [[nodiscard]] const json::Value* before() const { return before_ ? &*before_ : nullptr; }

  // `wanted` is prepared and still in the version of the request.
  void restrict(json::Value& wanted) {
    if (!converts_) return;
    restrictToPart(kind_, wanted.get_object(), before_->get_object(), context_);
    untouched_ = !contentChanged(wanted.get_object(), before_->get_object(), "") && sameAnnotations(wanted, *before_);
  }

  // A client that did not change the content must not lose what its version cannot express.
  void restore(json::Value& stored, const json::Value& old) const {
    if (!untouched_) return;
    json::Value content = old;
    content.get_object()["metadata"] = stored.get_object()["metadata"];
    stored = std::move(content);
  }

 private:
  static bool sameAnnotations(const json::Value& a, const json::Value& b) {
    const json::Value *x = json::find(a, {"metadata", "annotations"}), *y = json::find(b, {"metadata", "annotations"});
    return x && y ? json::equal(*x, *y) : x == y;
  }

  const Kind& kind_;
  const WriteContext& context_;
  bool converts_, untouched_ = false;
  std::optional<json::Value> before_;
};

bool mayGo(const json::Value& document) {
  const auto* metadata = json::objectAt(document, {"metadata"});
  if (!metadata->contains("deletionTimestamp") || !finalizersOf(*metadata).empty()) return false;
  if (json::textAt(document, {"kind"}) != "Namespace" || json::textAt(document, {"apiVersion"}) != "v1") return true;
  const auto* own = json::arrayAt(document, {"spec", "finalizers"});
  return !own || own->empty();
}

}  // namespace

UpdateDecision decideUpdate(const Kind& kind, const Object& current, const Writer::Edit& edit,
                            const WriteContext& context, const ObjectKey& asked) {
  UpdateDecision decision;
  json::Value stored = transientDocumentOf(current);
  const bool outdated = !kind.isCurrent(stored);
  if (outdated) kind.upgrade(stored);
  const auto& old = stored.get_object();
  const auto& oldMetadata = old.at("metadata").get_object();

  json::Value wanted(stored, stored.storage());
  if (!kind.storesAsIs(context.version)) kind.fromStorage(wanted, context.version);
  RequestedForm requested(kind, wanted, context);
  edit(wanted);
  auto& metadata = metadataOf(wanted);
  requireSameIdentity(kind, metadata, oldMetadata, asked, context);
  decision.conditional = requireVersion(kind, metadata, current, context);
  kind.prepare(wanted, context, decision.warnings);
  requested.restrict(wanted);
  VersionedWrite write(kind, context, requested.before());
  write.toStorage(wanted, current.key.name);
  requested.restore(wanted, stored);

  restrictToPart(kind, wanted.get_object(), old, context);
  auto causes = kube::validateMetadataUpdate(metadataOf(wanted), oldMetadata);
  keepServerMembers(metadataOf(wanted), oldMetadata);
  metadataOf(wanted)["name"] = current.key.name;
  metadataOf(wanted)["resourceVersion"] = oldMetadata.at("resourceVersion");
  write.mutate(wanted, &stored, decision.warnings);

  auto& kept = metadataOf(wanted);  // only now: rules may have moved it
  const bool metadataChanged = !json::equal(kept, oldMetadata);
  const bool changed = contentChanged(wanted.get_object(), old, context.subresource);
  if (metadataChanged) {
    auto more = kube::validateMetadata(kept, kind.info.nameRule, decision.warnings);
    std::move(more.begin(), more.end(), std::back_inserter(causes));
  }
  auto more = write.validate(wanted, &stored, decision.warnings);
  std::move(more.begin(), more.end(), std::back_inserter(causes));
  if (!causes.empty()) throw invalid(kind.info, current.key.name, std::move(causes));
  kind.admit(wanted, &stored, context, decision.warnings);

  if (mayGo(wanted)) {
    decision.outcome = UpdateDecision::Outcome::erase;
  } else if (metadataChanged || changed || outdated || current.rowIsOlder) {
    decision.outcome = UpdateDecision::Outcome::store;
    if (kind.info.hasGeneration && changed && context.subresource.empty()) growGeneration(kept);
  }
  decision.document.emplace(std::move(wanted));
  return decision;
}

}  // namespace ingot::apiserver
