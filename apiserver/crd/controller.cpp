#include "apiserver/crd/controller.hpp"

#include "apiserver/crd/conversion_rules.hpp"
#include "apiserver/crd/naming.hpp"
#include "apiserver/crd/status.hpp"
#include "apiserver/registry/worker_pool.hpp"
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

// "foos.test.io": the name is made of what never changes.
GroupResource idOf(const std::string& name) {
  const auto dot = name.find('.');
  return {dot == std::string::npos ? "" : name.substr(dot + 1), name.substr(0, dot)};
}

std::int64_t generationOf(const json::Value& crd) { return json::intAt(crd, {"metadata", "generation"}).value_or(0); }

}  // namespace

CrdController::CrdController(base::Runtime runtime, Registry& registry, Catalog& catalog, Admission admission,
                             KindConverters converters)
    : runtime_(runtime.named("crd")),
      registry_(registry),
      catalog_(catalog),
      admission_(std::move(admission)),
      converters_(std::move(converters)),
      convertible_(kindsOf(converters_)),
      changed_(runtime.executor) {
  registry_.observe([this](const GroupResource& id, const ObjectPtr& previous, const ObjectPtr& next) {
    if (id != kCrds) return;
    if (!next) return forget(previous->key.name);
    if (next->deleting) registry_.terminate(idOf(next->key.name));
    enqueue(next->key.name);
  });
}

ConvertibleKinds CrdController::kindsOf(const KindConverters& converters) {
  ConvertibleKinds out;
  for (const auto& [kind, converter] : converters) out.insert(kind);
  return out;
}

void CrdController::enqueue(const std::string& name) {
  waiting_.insert(name);
  changed_.notifyAll();
}

// Another definition of the group may wait for the names that one definition releases.
void CrdController::namesReleased(const std::string& group) {
  for (const auto& name : inConflict_)
    if (idOf(name).group == group) enqueue(name);
}

void CrdController::defineStored() {
  for (const auto& [key, object] : registry_.store().objects(kCrds.text())) {
    const json::Value crd = documentOf(*object);
    if (const auto problem = problemOf(crd))
      runtime_.log.error("a stored CustomResourceDefinition is not usable", {{"name", key.name}, {"reason", *problem}});
    else if (const json::Object* names = json::objectAt(crd, {"status", "acceptedNames"}); names && isEstablished(crd))
      define(object, crd, *names);
    enqueue(key.name);
  }
}

// Why the definition cannot be served; nullopt when it can.
std::optional<std::string> CrdController::problemOf(const json::Value& crd) const {
  try {
    const auto problems = crdProblems(crd, convertible_);
    if (problems.empty()) return std::nullopt;
    return problems.front().field + ": " + problems.front().message;
  } catch (const std::exception& problem) {  // stored by a version that asked less
    return problem.what();
  }
}

TakenNames CrdController::takenBesides(const std::string& name) const {
  TakenNames taken;
  for (const auto& [other, known] : defined_)
    if (other != name && idOf(other).group == idOf(name).group) taken.add(known.names);
  return taken;
}

// The names that this server gave the definition. The status alone is no proof, because others can write it.
json::Value CrdController::namesOf(const std::string& name, const json::Value& crd) const {
  if (const auto known = defined_.find(name); known != defined_.end()) return known->second.names;
  const json::Value* said = json::find(crd, {"status", "acceptedNames"});
  return said && isEstablished(crd) ? *said : json::Value();
}

void CrdController::define(const ObjectPtr& object, const json::Value& crd, const json::Object& names) {
  const std::string& name = object->key.name;
  const auto known = defined_.find(name);
  if (known != defined_.end() && serves(known->second, crd, names)) {
    known->second.generation = generationOf(crd);
    known->second.document->object = object;
    return;
  }
  const auto document = std::make_shared<CrdDocument>(CrdDocument{object});
  const CrdDefinition definition = readCrd(crd, names, document);
  catalog_.set(definition.info.id(), definition.schemas);
  registry_.define(definition.info, rulesOf(definition));
  if (object->deleting) registry_.terminate(definition.info.id());
  const bool released = known != defined_.end() && !json::equal(known->second.names, names);
  defined_.insert_or_assign(name, Defined{object->uid, generationOf(crd), names, document});
  if (released) namesReleased(definition.info.group);
}

// True when only the status, a label or the deletion has changed: the schemas are the same then.
bool CrdController::serves(const Defined& known, const json::Value& crd, const json::Object& names) {
  if (known.uid != json::textAt(crd, {"metadata", "uid"}) || !json::equal(known.names, names)) return false;
  if (known.generation == generationOf(crd)) return true;
  const json::Value before = documentOf(*known.document->object);
  return json::equal(*json::find(before, {"spec"}), *json::find(crd, {"spec"}));
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
    rules.push_back(std::make_shared<const ConversionRules>(info, definition.schemas, converters_.at(info.id())));
  if (const auto more = admission_.find(info.id()); more != admission_.end())
    rules.insert(rules.end(), more->second.begin(), more->second.end());
  return rules;
}

void CrdController::forget(const std::string& name) {
  const GroupResource id = idOf(name);
  if (defined_.erase(name) > 0) {
    catalog_.remove(id);
    registry_.undefine(id);
  }
  inConflict_.erase(name);
  namesReleased(id.group);
  changed_.notifyAll();
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
    if (object && defined_.contains(name)) {  // or there is no need to read it: many are installed at once
      const json::Value crd = documentOf(*object);
      if (isDefined(crd) && isEstablished(crd)) co_return;
    }
    if (!co_await changed_.waitUntil(runtime_.clock, deadline))
      throw base::TimedOut("the CustomResourceDefinition " + name + " did not become Established");
  }
}

base::Task<void> CrdController::run(base::TaskGroup& group) {
  while (true) {
    while (waiting_.empty()) co_await changed_.wait();
    std::vector<Job> jobs;
    for (const auto& name : std::exchange(waiting_, {}))
      jobs.push_back([this, name, &group] { return attempt(group, name); });
    co_await runAll(group, runtime_.executor, std::move(jobs));
  }
}

base::Task<void> CrdController::retryLater(std::string name) {
  co_await runtime_.clock.sleepFor(kRetry);
  retrying_.erase(name);
  enqueue(name);
}

base::Task<void> CrdController::attempt(base::TaskGroup& group, std::string name) {
  bool again = false;
  try {
    again = co_await settle(name);
  } catch (const ApiError& error) {
    again = error.code() != 404;
    if (error.code() != 409)
      runtime_.log.warn("a CustomResourceDefinition could not be settled", {{"name", name}, {"error", error.what()}});
  } catch (const base::Cancelled&) {
    throw;
  } catch (const std::exception& error) {  // one that nobody can read must not keep the others waiting
    runtime_.log.error("a CustomResourceDefinition could not be settled", {{"name", name}, {"error", error.what()}});
  }
  if (again && retrying_.insert(name).second)
    group.spawn("retry of a CustomResourceDefinition", retryLater(std::move(name)));
}

base::Task<bool> CrdController::settle(std::string name) {
  const ObjectPtr object = stored(name);
  if (!object) co_return false;
  const json::Value crd = documentOf(*object);
  const bool usable = isDefined(crd) || !problemOf(crd);
  if (object->deleting) co_return co_await remove(object, crd, usable);
  if (usable) co_await accept(object, crd);
  co_return false;
}

base::Task<void> CrdController::accept(ObjectPtr object, json::Value crd) {
  const Naming naming =
      judgeNames(*json::find(crd, {"spec", "names"}), namesOf(object->key.name, crd), takenBesides(object->key.name));
  if (naming.complete())
    inConflict_.erase(object->key.name);
  else
    inConflict_.insert(object->key.name);
  if (naming.complete() || isEstablished(crd)) define(object, crd, naming.accepted);
  co_await say(object->key.name, crd, acceptedStatus(crd, naming, runtime_.clock.wall()));
}

base::Task<void> CrdController::say(std::string name, json::Value crd, json::Object status) {
  const json::Value* current = json::find(crd, {"status"});
  if (current && json::equal(*current, status)) co_return;
  (void)co_await registry_.patch(targetOf(name, "status"),
                                 [status](json::Value& now) { now.get_object()["status"] = status; });
}

// True: objects are left.
base::Task<bool> CrdController::remove(ObjectPtr object, json::Value crd, bool usable) {
  const std::string& name = object->key.name;
  if (const json::Object* names = json::objectAt(crd, {"status", "acceptedNames"});
      names && usable && isEstablished(crd))
    define(object, crd, *names);  // their finalizers go through the API
  if (co_await instancesLeft(idOf(name))) {
    co_await say(name, crd, terminatingStatus(crd, runtime_.clock.wall()));
    co_return true;
  }
  (void)co_await registry_.patch(targetOf(name), [](json::Value& now) {
    json::Value* finalizers = json::makeObjectAt(now, {"metadata"}).if_contains("finalizers");
    if (!finalizers || !finalizers->is_array()) return;
    json::Array& all = finalizers->get_array();
    all.erase(std::remove(all.begin(), all.end(), json::Value(kCrdFinalizer)), all.end());
  });
  co_return false;
}

// Objects of a built-in kind do not belong to a definition of the same name.
base::Task<bool> CrdController::instancesLeft(GroupResource id) {
  const ResourceInfoPtr served = registry_.find(id);
  if (served && !served->custom) co_return false;
  co_return co_await registry_.deleteInstances(id) > 0;
}

}  // namespace ingot::apiserver
