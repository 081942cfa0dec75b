#include "apiserver/registry/kinds.hpp"

#include "apiserver/registry/errors.hpp"

namespace ingot::apiserver {

void Kind::prepare(json::Value& object, const WriteContext& context, Warnings& warnings) const {
  for (const auto& rule : rules) rule->prepare(object, context, warnings);
}

void Kind::mutate(json::Value& object, const json::Value* old, const WriteContext& context, Warnings& warnings) const {
  for (const auto& rule : rules) rule->mutate(object, old, context, warnings);
}

std::vector<StatusCause> Kind::validate(const json::Value& object, const json::Value* old, const WriteContext& context,
                                        Warnings& warnings) const {
  std::vector<StatusCause> causes;
  for (const auto& rule : rules) {
    auto more = rule->validate(object, old, context, warnings);
    std::move(more.begin(), more.end(), std::back_inserter(causes));
  }
  return causes;
}

void Kind::admit(const json::Value& object, const json::Value* old, const WriteContext& context,
                 Warnings& warnings) const {
  for (const auto& rule : rules) rule->admit(object, old, context, warnings);
}

void Kind::admitDelete(const json::Value& object, const WriteContext& context, Warnings& warnings) const {
  for (const auto& rule : rules) rule->admitDelete(object, context, warnings);
}

bool Kind::isCurrent(const json::Value& document) const {
  return !info.custom || json::textAt(document, {"apiVersion"}) == info.apiVersion(info.storageVersion);
}

bool Kind::isCurrentText(std::string_view body) const {
  if (!info.custom) return true;
  constexpr std::string_view kBegin = R"({"apiVersion":")";  // always the first member
  if (!body.starts_with(kBegin)) return true;
  body.remove_prefix(kBegin.size());
  const std::string now = info.apiVersion(info.storageVersion);
  return body.starts_with(now) && body.substr(now.size()).starts_with('"');
}

void Kind::upgrade(json::Value& document) const {
  WriteContext context;
  context.version = GroupVersion::parse(json::textAt(document, {"apiVersion"})).version;
  context.fieldValidation = FieldValidation::ignore;
  Warnings ignored;
  prepare(document, context, ignored);
  if (context.version != info.storageVersion) toStorage(document, context.version);
}

bool Kind::storesAsIs(std::string_view version) const { return !info.storedAs && version == info.storageVersion; }

bool Kind::converts(const std::string& version) const {
  return std::any_of(rules.begin(), rules.end(), [&](const RulesPtr& rule) { return rule->converts(version); });
}

void Kind::toStorage(json::Value& object, const std::string& version) const {
  for (const auto& rule : rules) rule->toStorage(object, version);
  if (info.storedAs) return;  // the alias' rules name the other group and version
  object.as_object()["apiVersion"] = info.apiVersion(info.storageVersion);
  object.as_object()["kind"] = info.kind;
}

void Kind::fromStorage(json::Value& object, const std::string& version) const {
  for (const auto& rule : rules) rule->fromStorage(object, version);
  object.as_object()["apiVersion"] = info.apiVersion(version);
}

KindPtr Kinds::define(ResourceInfo info, std::vector<RulesPtr> rules) {
  auto kind = std::make_shared<Kind>();
  kind->stored = info.storage().text();
  kind->info = std::move(info);
  kind->rules = std::move(rules);
  auto& slot = kinds_[kind->info.id()];
  auto old = std::exchange(slot, std::move(kind));
  if (old) {
    old->retired = true;
    slot->terminating = old->terminating;
  }
  ++changes_;
  return old;
}

KindPtr Kinds::undefine(const GroupResource& id) {
  const auto at = kinds_.find(id);
  if (at == kinds_.end()) return nullptr;
  auto old = std::move(at->second);
  kinds_.erase(at);
  old->retired = true;
  ++changes_;
  return old;
}

KindPtr Kinds::find(const GroupResource& id) const {
  const auto at = kinds_.find(id);
  return at == kinds_.end() ? nullptr : at->second;
}

KindPtr Kinds::findKind(std::string_view group, std::string_view kind) const {
  for (const auto& [id, found] : kinds_) {
    if (id.group == group && found->info.kind == kind) return found;
  }
  return nullptr;
}

KindPtr Kinds::findStored(const std::string& stored) const {
  for (const auto& [id, found] : kinds_) {
    if (!found->info.storedAs && found->stored == stored) return found;
  }
  return nullptr;
}

std::vector<KindPtr> Kinds::all() const {
  std::vector<KindPtr> kinds;
  kinds.reserve(kinds_.size());
  for (const auto& [id, kind] : kinds_) kinds.push_back(kind);
  return kinds;
}

KindPtr Kinds::require(const Target& target, std::string_view verb) const {
  auto kind = find({target.group, target.resource});
  const auto* version = kind ? kind->info.findVersion(target.version) : nullptr;
  if (!version || !version->served) throw unknownResource();
  if (!kind->info.offers(verb)) throw methodNotAllowed();
  if (target.subresource == "status" && !version->statusSubresource) throw notFound(kind->info, target.name);
  return kind;
}

}  // namespace ingot::apiserver
