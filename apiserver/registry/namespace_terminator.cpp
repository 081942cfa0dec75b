#include "apiserver/registry/namespace_terminator.hpp"

#include "apiserver/registry/errors.hpp"
#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/worker_pool.hpp"

namespace ingot::apiserver {
namespace {

constexpr base::Duration lookAgain = std::chrono::seconds(5);     // though nothing in it has changed
constexpr base::Duration pause = std::chrono::seconds(1);         // between rounds
constexpr base::Duration reportPause = std::chrono::seconds(10);  // a report reads every object that is left

Target namespaceTarget(const std::string& name, std::string subresource) {
  return {.group = "",
          .version = "v1",
          .resource = "namespaces",
          .space = "",
          .name = name,
          .subresource = std::move(subresource)};
}

std::string listed(const std::map<std::string, int>& counts, std::string_view verb) {
  std::string text;
  for (const auto& [name, count] : counts) {
    text += fmt::format("{}{} {} {} resource instances", text.empty() ? "" : ", ", name, verb, count);
  }
  return text;
}

json::Value condition(std::string_view type, bool holds, std::string_view reason, std::string_view message,
                      const std::string& now) {
  return json::Object{{"type", type},
                      {"status", holds ? "True" : "False"},
                      {"lastTransitionTime", now},
                      {"reason", reason},
                      {"message", message}};
}

bool sameButTime(const json::Array& a, const json::Array& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const json::Value& x, const json::Value& y) {
    return json::textAt(x, {"type"}) == json::textAt(y, {"type"}) &&
           json::textAt(x, {"status"}) == json::textAt(y, {"status"}) &&
           json::textAt(x, {"message"}) == json::textAt(y, {"message"});
  });
}

// The finalizer that stands for the content is still there (finalizers of others are their business).
bool heldByContent(const Object& space) {
  const json::Value document = documentOf(space);
  const auto* own = json::arrayAt(document, {"spec", "finalizers"});
  return own && !own->empty();
}

bool holdsObjects(const Kind& kind) { return kind.info.namespaced && !kind.info.storedAs; }

template <class Visit>
void eachIn(const Store& store, const std::string& resource, const std::string& space, const Visit& visit) {
  const auto& objects = store.objects(resource);
  for (auto at = objects.lower_bound({space, ""}); at != objects.end() && at->first.space == space; ++at) {
    visit(at->second);
  }
}

const ObjectKey& keyOf(const Event& event) { return event.next ? event.next->key : event.previous->key; }

}  // namespace

struct NamespaceTerminator::Ending {
  explicit Ending(const base::Executor& executor) : woken(executor) {}
  bool changed = true;     // since the last round
  bool unreported = true;  // since the last report
  base::MonoTime nextReport{};
  base::Notifier woken;
};

json::Array terminationConditions(const Remaining& remaining, const std::string& now) {
  json::Array conditions;
  conditions.push_back(condition("NamespaceDeletionDiscoveryFailure", false, "ResourcesDiscovered",
                                 "All resources successfully discovered", now));
  conditions.push_back(condition("NamespaceDeletionGroupVersionParsingFailure", false, "ParsedGroupVersions",
                                 "All legacy kube types successfully parsed", now));
  conditions.push_back(condition("NamespaceDeletionContentFailure", false, "ContentDeleted",
                                 "All content successfully deleted, may be waiting on finalization", now));
  const bool content = !remaining.byResource.empty(), finalizers = !remaining.byFinalizer.empty();
  conditions.push_back(condition("NamespaceContentRemaining", content,
                                 content ? "SomeResourcesRemain" : "ContentRemoved",
                                 content ? "Some resources are remaining: " + listed(remaining.byResource, "has")
                                         : "All content successfully removed",
                                 now));
  conditions.push_back(condition(
      "NamespaceFinalizersRemaining", finalizers, finalizers ? "SomeFinalizersRemain" : "ContentHasNoFinalizers",
      finalizers ? "Some content in the namespace has finalizers remaining: " + listed(remaining.byFinalizer, "in")
                 : "All content-preserving finalizers finished",
      now));
  return conditions;
}

void NamespaceTerminator::begin() {
  begun_ = true;
  for (const auto& [key, object] : store_.objects("namespaces")) {
    if (object->deleting) take(key.name);
  }
}

void NamespaceTerminator::observe(const std::string& resource, const Event& event) {
  if (!begun_) return;
  const bool isSpace = resource == "namespaces";
  if (isSpace && event.next && event.next->deleting) take(event.next->key.name);
  const auto found = active_.find(isSpace ? keyOf(event).name : keyOf(event).space);
  if (found == active_.end()) return;
  found->second->changed = found->second->unreported = true;
  found->second->woken.notifyAll();
}

void NamespaceTerminator::take(const std::string& name) {
  if (active_.contains(name)) return;
  active_[name] = std::make_shared<Ending>(runtime_.executor);
  group_.spawn("termination of namespace " + name, terminate(name));
}

base::Task<void> NamespaceTerminator::terminate(std::string name) {
  const auto ending = active_.at(name);
  ending->changed = false;
  while (!co_await pass(name, *ending)) {
    co_await runtime_.clock.sleepFor(pause);
    const auto limit = runtime_.clock.now() + lookAgain;
    while (!ending->changed && co_await ending->woken.waitUntil(runtime_.clock, limit)) {
    }
    ending->changed = false;
  }
  active_.erase(name);
}

// One round; true when the namespace has gone. What a round could not do, the next one tries again.
base::Task<bool> NamespaceTerminator::pass(std::string name, Ending& ending) {
  const auto space = store_.find("namespaces", {"", name});
  if (!space || !space->deleting) co_return true;
  std::string problem;
  try {
    co_await advance(name, ending);
  } catch (const base::Cancelled&) {
    throw;
  } catch (const ApiError& e) {
    if (e.code() != 404) problem = e.what();
  } catch (const std::exception& e) {
    problem = e.what();
  }
  if (!problem.empty()) runtime_.log.warn("namespace termination", {{"namespace", name}, {"reason", problem}});
  const auto now = store_.find("namespaces", {"", name});
  co_return !now || now->uid != space->uid || !heldByContent(*now);
}

base::Task<void> NamespaceTerminator::advance(std::string name, Ending& ending) {
  co_await empty(name);
  if (isEmpty(name)) {
    if (!store_.writing(name)) co_await finalize(name);
    co_return;
  }
  const auto now = runtime_.clock.now();
  if (!ending.unreported || now < ending.nextReport) co_return;
  co_await report(name, remaining(name));
  ending.unreported = false;
  ending.nextReport = now + reportPause;
}

bool NamespaceTerminator::isEmpty(const std::string& name) const {
  const auto kinds = kinds_.all();
  return std::none_of(kinds.begin(), kinds.end(), [&](const auto& kind) {
    const auto& objects = store_.objects(kind->stored);
    const auto first = objects.lower_bound({name, ""});
    return holdsObjects(*kind) && first != objects.end() && first->first.space == name;
  });
}

base::Task<void> NamespaceTerminator::empty(std::string name) {
  std::vector<Job> jobs;
  for (const auto& kind : kinds_.all()) {
    if (!holdsObjects(*kind)) continue;
    eachIn(store_, kind->stored, name, [&](const ObjectPtr& object) {
      if (object->deleting) return;
      jobs.push_back([this, kind, object]() -> base::Task<void> { return removeOne(kind, object); });
    });
  }
  co_await runAll(group_, runtime_.executor, std::move(jobs));
}

base::Task<void> NamespaceTerminator::removeOne(KindPtr kind, ObjectPtr object) {
  (void)co_await remover_.removeQuietly(kind, object->key, object->uid, Propagation::background);
}

Remaining NamespaceTerminator::remaining(const std::string& name) const {
  Remaining left;
  for (const auto& kind : kinds_.all()) {
    if (!holdsObjects(*kind)) continue;
    eachIn(store_, kind->stored, name, [&](const ObjectPtr& object) {
      ++left.byResource[kind->info.group.empty() ? kind->info.plural + "." : kind->stored];
      const json::Value document = documentOf(*object);
      for (const auto& finalizer : finalizersOf(document.at("metadata").get_object())) ++left.byFinalizer[finalizer];
    });
  }
  return left;
}

base::Task<void> NamespaceTerminator::report(std::string name, Remaining left) {
  auto conditions = terminationConditions(left, base::formatTime(runtime_.clock.wall()));
  (void)co_await writer_.patch(namespaceTarget(name, "status"),
                               [conditions](json::Value& object) {
                                 auto& status = json::makeObjectAt(object, {"status"});
                                 const auto* known = status.if_contains("conditions");
                                 if (known && known->is_array() && sameButTime(known->get_array(), conditions)) return;
                                 status["conditions"] = conditions;
                               },
                               {});
}

base::Task<void> NamespaceTerminator::finalize(std::string name) {
  (void)co_await writer_.patch(namespaceTarget(name, "finalize"),
                               [](json::Value& object) { json::makeObjectAt(object, {"spec"}).erase("finalizers"); },
                               {});
}

}  // namespace ingot::apiserver
