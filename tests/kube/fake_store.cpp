#include "tests/kube/fake_store.hpp"

#include "json/patch.hpp"

#include <fmt/format.h>

namespace ingot::tests {
namespace {

json::Object& metaOf(json::Value& object) { return json::makeObjectAt(object, {"metadata"}); }

// All but status from `from`, or only status: into `into`.
void takePart(json::Value& into, const json::Value& from, bool status) {
  json::Value out = status ? into : from;
  const json::Value& statusOwner = status ? from : into;
  out.get_object().erase("status");
  if (const json::Value* kept = json::find(statusOwner, {"status"})) out.get_object()["status"] = *kept;
  for (const char* fixed : {"uid", "creationTimestamp", "generation", "deletionTimestamp", "name", "namespace"}) {
    metaOf(out).erase(fixed);
    if (const json::Value* was = json::find(into, {"metadata", fixed})) metaOf(out)[fixed] = *was;
  }
  metaOf(out)["resourceVersion"] = json::textAt(into, {"metadata", "resourceVersion"});
  into = std::move(out);
}

bool holdsFinalizers(const json::Value& object) {
  const json::Array* finalizers = json::arrayAt(object, {"metadata", "finalizers"});
  return finalizers && !finalizers->empty();
}

}  // namespace

json::Value FakeStore::create(const std::string& plural, const std::string& namespace_, json::Value object) {
  json::Object& meta = metaOf(object);
  if (!meta.contains("name")) {
    const std::string base = json::textAt(object, {"metadata", "generateName"});
    if (base.empty())
      throw ApiFailure{422, "Invalid", "metadata.name: Required value: name or generateName is required"};
    meta["name"] = fmt::format("{}{:05}", base, ++names_);
  }
  if (!namespace_.empty()) meta["namespace"] = namespace_;
  const Id id{plural, namespace_, json::textAt(object, {"metadata", "name"})};
  if (objects_.contains(id))
    throw ApiFailure{409, "AlreadyExists", fmt::format("{} \"{}\" already exists", plural, id.name)};
  meta["uid"] = fmt::format("uid-{}", ++uids_);
  meta["creationTimestamp"] = "2026-01-01T00:00:00Z";
  meta["generation"] = 1;
  if (plural == "widgets") object.get_object().erase("status");
  return store(id, std::move(object), "ADDED");
}

json::Value FakeStore::get(const Id& id) const { return at(id); }

json::Value FakeStore::update(const Id& id, json::Value wanted, bool status) {
  json::Value object = at(id);
  if (json::textAt(wanted, {"metadata", "resourceVersion"}).empty())
    throw ApiFailure{422, "Invalid", "metadata.resourceVersion: Invalid value: 0: must be specified for an update"};
  checkVersion(id, object, wanted);
  takePart(object, wanted, status);
  return store(id, std::move(object), "MODIFIED");
}

json::Value FakeStore::patch(const Id& id, const json::Value& patch, bool status) {
  json::Value object = at(id), wanted = object;
  checkVersion(id, object, patch);
  json::applyMergePatch(wanted, patch);
  const bool split = status || id.plural == "widgets";
  if (split) {
    takePart(object, wanted, status);
  } else {
    object = std::move(wanted);
  }
  return store(id, std::move(object), "MODIFIED");
}

std::optional<json::Value> FakeStore::remove(const Id& id, const std::string& uid, const std::string& resourceVersion) {
  json::Value object = at(id);
  if (!uid.empty() && uid != json::textAt(object, {"metadata", "uid"}))
    throw ApiFailure{409, "Conflict", "the UID in the precondition does not match"};
  if (!resourceVersion.empty() && resourceVersion != json::textAt(object, {"metadata", "resourceVersion"}))
    throw ApiFailure{409, "Conflict", "the ResourceVersion in the precondition does not match"};
  if (!holdsFinalizers(object)) {
    drop(id, std::move(object));
    return std::nullopt;
  }
  if (json::find(object, {"metadata", "deletionTimestamp"})) return object;
  metaOf(object)["deletionTimestamp"] = "2026-01-01T00:00:01Z";
  return store(id, std::move(object), "MODIFIED");
}

std::vector<json::Value> FakeStore::list(const std::string& plural, const std::string& namespace_) const {
  std::vector<json::Value> out;
  for (const auto& [id, object] : objects_)
    if (id.plural == plural && (namespace_.empty() || id.namespace_ == namespace_)) out.push_back(object);
  return out;
}

void FakeStore::compact() {
  history_.clear();
  oldest_ = version_;
}

json::Value FakeStore::store(const Id& id, json::Value object, const std::string& type) {
  if (const auto it = objects_.find(id); it != objects_.end() && json::equal(it->second, object)) return object;
  metaOf(object)["resourceVersion"] = std::to_string(++version_);
  const bool finished = json::find(object, {"metadata", "deletionTimestamp"}) && !holdsFinalizers(object);
  if (finished) {
    drop(id, object);
    return object;
  }
  objects_[id] = object;
  history_.push_back({version_, type, id.plural, id.namespace_, object});
  return object;
}

const json::Value& FakeStore::at(const Id& id) const {
  const auto it = objects_.find(id);
  if (it == objects_.end()) throw ApiFailure{404, "NotFound", fmt::format("{} \"{}\" not found", id.plural, id.name)};
  return it->second;
}

void FakeStore::checkVersion(const Id& id, const json::Value& stored, const json::Value& wanted) const {
  const std::string version = json::textAt(wanted, {"metadata", "resourceVersion"});
  if (version.empty() || version == json::textAt(stored, {"metadata", "resourceVersion"})) return;
  throw ApiFailure{
      409, "Conflict",
      fmt::format("Operation cannot be fulfilled on {} \"{}\": the object has been modified", id.plural, id.name)};
}

void FakeStore::drop(const Id& id, json::Value last) {
  objects_.erase(id);
  metaOf(last)["resourceVersion"] = std::to_string(++version_);
  history_.push_back({version_, "DELETED", id.plural, id.namespace_, std::move(last)});
}

}  // namespace ingot::tests
