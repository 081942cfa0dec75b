#include "apiserver/crd/controller.hpp"

#include "apiserver/crd/conversion_rules.hpp"
#include "apiserver/registry/crowd.hpp"
#include "apiserver/schema/schema_rules.hpp"
#include "json/patch.hpp"

namespace ingot::apiserver {

namespace {

constexpr base::Duration kRetry = std::chrono::milliseconds(500);

Target targetOf(const std::string& name, std::string subresource = {}) {
  return {.group = kCrds.group,
          .version = "v1",
          .resource = kCrds.resource,
          .name = name,
          .subresource = std::move(subresource)};
}

// What of a definition that is to be installed differs from the stored one: its spec, labels and annotations it lacks.
json::Value changesTo(const json::Value& stored, const json::Value& wanted) {
  json::Value target = stored;
  target.get_object()["spec"] = *json::find(wanted, {"spec"});
  for (std::string_view member : {"labels", "annotations"})
    if (const json::Object* own = json::objectAt(wanted, {"metadata", member}))
      for (const auto& [key, value] : *own) json::makeObjectAt(target, {"metadata", member})[key] = value;
  return json::mergePatch(stored, target);
}

GroupResource idOf(const json::Value& crd) {
  return {json::textAt(crd, {"spec", "group"}), json::textAt(crd, {"spec", "names", "plural"})};
}

std::int64_t generationOf(const json::Value& crd) { return json::intAt(crd, {"metadata", "generation"}).value_or(0); }

json::Object condition(std::string_view type, std::string_view reason, std::string_view message, base::WallTime now) {
  return {{"type", type},
          {"status", "True"},
          {"lastTransitionTime", base::formatTime(now)},
          {"reason", reason},
          {"message", message}};
}

bool isEstablished(const json::Value& crd) {
  const json::Array* all = json::arrayAt(crd, {"status", "conditions"});
  return all && std::any_of(all->begin(), all->end(), [](const json::Value& one) {
           return json::textAt(one, {"type"}) == "Established" && json::textAt(one, {"status"}) == "True";
         });
}

// The versions in which objects may be stored: those of before, and the present one.
json::Array storedVersions(const json::Value& crd, const std::string& present) {
  json::Array out;
  if (const json::Array* before = json::arrayAt(crd, {"status", "storedVersions"})) out = *before;
  if (std::find(out.begin(), out.end(), json::Value(present)) == out.end()) out.emplace_back(present);
  return out;
}

json::Object statusOf(const json::Value& crd, base::WallTime now) {
  const json::Value* conditions = json::find(crd, {"status", "conditions"});
  json::Object out;
  out["conditions"] =
      isEstablished(crd) ? *conditions
                         : json::Value(json::Array{condition("NamesAccepted", "NoConflicts", "no conflicts found", now),
                                                   condition("Established", "InitialNamesAccepted",
                                                             "the initial names have been accepted", now)});
  out["acceptedNames"] = *json::find(crd, {"spec", "names"});
  out["storedVersions"] = storedVersions(crd, storageVersionOf(crd));
  return out;
}

}  // namespace

CrdController::CrdController(base::Runtime runtime, Registry& registry, Catalog& catalog, Admission admission,
                             KindConverters converters)
    : runtime_(runtime.named("crd")),
      registry_(registry),
      catalog_(catalog),
      admission_(std::move(admission)),
      converters_(std::move(converters)),
      convertible_(groupsOf(converters_)),
      changed_(runtime.executor) {
  registry_.observe([this](const GroupResource& id, const ObjectPtr& previous, const ObjectPtr& next) {
    if (id != kCrds) return;
    if (!next)
      forget(documentOf(*previous));
    else
      waiting_.insert(next->key.name);
    changed_.notifyAll();
  });
}

ConvertibleGroups CrdController::groupsOf(const KindConverters& converters) {
  ConvertibleGroups out;
  for (const auto& [group, converter] : converters) out.insert(group);
  return out;
}

void CrdController::defineStored() {
  for (const auto& [key, object] : registry_.store().objects(kCrds.text())) {
    const json::Value crd = documentOf(*object);
    if (crdProblems(crd, convertible_).empty())
      define(object, crd);
    else
      runtime_.log.error("a stored CustomResourceDefinition is not usable", {{"name", key.name}});
    waiting_.insert(key.name);
  }
}

void CrdController::define(const ObjectPtr& object, const json::Value& crd) {
  Defined& known = defined_[object->key.name];
  if (isDefined(crd)) {
    known.document->object = object;  // a status or a label: the schemas are the same
    return;
  }
  known = {object->uid, generationOf(crd), std::make_shared<CrdDocument>(CrdDocument{object})};
  const CrdDefinition definition = readCrd(crd, known.document);
  catalog_.set(definition.info.id(), definition.schemas);
  registry_.define(definition.info, rulesOf(definition));
}

bool CrdController::isDefined(const json::Value& crd) const {
  const auto found = defined_.find(json::textAt(crd, {"metadata", "name"}));
  return found != defined_.end() && found->second.uid == json::textAt(crd, {"metadata", "uid"}) &&
         found->second.generation == generationOf(crd);
}

std::vector<std::shared_ptr<const KindRules>> CrdController::rulesOf(const CrdDefinition& definition) const {
  const ResourceInfo& info = definition.info;
  std::vector<std::shared_ptr<const KindRules>> rules{
      std::make_shared<const SchemaRules>(info.kind, definition.schemas)};
  if (definition.byWebhook)
    rules.push_back(std::make_shared<const ConversionRules>(info, definition.schemas, converters_.at(info.group)));
  if (const auto more = admission_.find(info.id()); more != admission_.end())
    rules.insert(rules.end(), more->second.begin(), more->second.end());
  return rules;
}

void CrdController::forget(const json::Value& crd) {
  if (defined_.erase(json::textAt(crd, {"metadata", "name"})) == 0) return;
  catalog_.remove(idOf(crd));
  registry_.undefine(idOf(crd));
}

ObjectPtr CrdController::stored(const std::string& name) const {
  return registry_.store().find(kCrds.text(), ObjectKey{"", name});
}

base::Task<void> CrdController::install(json::Value crd) {
  const std::string name = json::textAt(crd, {"metadata", "name"});
  const ObjectPtr object = stored(name);
  if (!object) {
    (void)co_await registry_.create(targetOf(""), std::move(crd));
    co_return;
  }
  defaultCrd(crd);
  const json::Value changes = changesTo(documentOf(*object), crd);
  if (json::isEmptyPatch(changes)) co_return;
  (void)co_await registry_.patch(targetOf(name),
                                 [changes](json::Value& current) { json::applyMergePatch(current, changes); });
}

base::Task<void> CrdController::established(std::string name, base::Duration limit) {
  const auto deadline = runtime_.clock.now() + limit;
  while (true) {
    const ObjectPtr object = stored(name);
    if (const json::Value crd = object ? documentOf(*object) : json::Value(); isDefined(crd) && isEstablished(crd))
      co_return;
    if (!co_await changed_.waitUntil(runtime_.clock, deadline))
      throw base::TimedOut("the CustomResourceDefinition " + name + " did not become Established");
  }
}

base::Task<void> CrdController::run(base::TaskGroup& group) {
  while (true) {
    while (waiting_.empty()) co_await changed_.wait();
    std::vector<Job> jobs;
    for (const auto& name : std::exchange(waiting_, {})) jobs.push_back([this, name] { return attempt(name); });
    co_await runAll(group, runtime_.executor, std::move(jobs));
  }
}

base::Task<void> CrdController::attempt(std::string name) {
  bool again = false;
  try {
    co_await settle(name);
  } catch (const ApiError& error) {
    again = error.code() != 404;
    if (error.code() != 409)
      runtime_.log.warn("a CustomResourceDefinition could not be settled", {{"name", name}, {"error", error.what()}});
  } catch (const base::Cancelled&) {
    throw;
  } catch (const std::exception& error) {  // one that nobody can read must not keep the others waiting
    runtime_.log.error("a CustomResourceDefinition could not be settled", {{"name", name}, {"error", error.what()}});
  }
  if (!again) co_return;
  waiting_.insert(name);
  co_await runtime_.clock.sleepFor(kRetry);
}

base::Task<void> CrdController::settle(std::string name) {
  const ObjectPtr object = stored(name);
  if (!object) co_return;
  json::Value crd = documentOf(*object);
  if (object->deleting)
    co_await remove(name, std::move(crd));
  else if (isDefined(crd) || crdProblems(crd, convertible_).empty())
    co_await accept(object, std::move(crd));
}

base::Task<void> CrdController::accept(ObjectPtr object, json::Value crd) {
  define(object, crd);
  const json::Object status = statusOf(crd, runtime_.clock.wall());
  const json::Value* current = json::find(crd, {"status"});
  if (current && json::equal(*current, status)) co_return;
  (void)co_await registry_.patch(targetOf(object->key.name, "status"),
                                 [status](json::Value& now) { now.get_object()["status"] = status; });
}

base::Task<void> CrdController::remove(std::string name, json::Value crd) {
  const std::size_t left = defined_.contains(name) ? co_await registry_.deleteInstances(idOf(crd)) : 0;
  if (left > 0) {
    waiting_.insert(name);
    co_return co_await runtime_.clock.sleepFor(kRetry);
  }
  (void)co_await registry_.patch(targetOf(name), [](json::Value& object) {
    json::Value* finalizers = json::makeObjectAt(object, {"metadata"}).if_contains("finalizers");
    if (!finalizers || !finalizers->is_array()) return;
    json::Array& all = finalizers->get_array();
    all.erase(std::remove(all.begin(), all.end(), json::Value(kCrdFinalizer)), all.end());
  });
}

}  // namespace ingot::apiserver
