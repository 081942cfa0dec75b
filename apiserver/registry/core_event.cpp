// Events: one stored object, two groups that name its members differently (spec/kubernetes-api.md §11).
#include "apiserver/registry/core_resources.hpp"

namespace ingot::apiserver {
namespace {

using Causes = std::vector<StatusCause>;

struct Renaming {
  std::string_view core, events;
};
constexpr Renaming renamings[] = {
    {"involvedObject", "regarding"},
    {"message", "note"},
    {"reportingComponent", "reportingController"},
    {"source", "deprecatedSource"},
    {"firstTimestamp", "deprecatedFirstTimestamp"},
    {"lastTimestamp", "deprecatedLastTimestamp"},
    {"count", "deprecatedCount"},
};

void rename(json::Object& object, std::string_view from, std::string_view to) {
  auto* value = object.if_contains(from);
  if (!value) return;
  json::Value moved = std::move(*value);
  object.erase(from);
  object[to] = std::move(moved);
}

void checkSpace(const json::Value& object, Causes& causes) {
  const std::string involved = json::textAt(object, {"involvedObject", "namespace"});
  const std::string space = json::textAt(object, {"metadata", "namespace"});
  if (involved == space || (involved.empty() && space == "default")) return;
  causes.push_back(invalidValue("involvedObject.namespace", jsonText(involved), "does not match event.namespace"));
}

class EventRules final : public KindRules {
 public:
  Causes validate(const json::Value& object, const json::Value* old, const WriteContext&, Warnings&) const override {
    Causes causes;
    if (!old) checkSpace(object, causes);
    return causes;
  }
};

class EventAliasRules final : public KindRules {
 public:
  void toStorage(json::Value& object, const std::string&) const override {
    auto& event = object.as_object();
    for (const auto& [core, events] : renamings) rename(event, events, core);
    event["apiVersion"] = "v1";
    event["kind"] = "Event";
  }

  void fromStorage(json::Value& object, const std::string&) const override {
    for (const auto& [core, events] : renamings) rename(object.as_object(), core, events);
  }

  Causes validate(const json::Value& object, const json::Value* old, const WriteContext&, Warnings&) const override {
    Causes causes;
    if (!old) {
      checkSpace(object, causes);
      checkRequired(object, causes);
    } else {
      checkUnchanged(object, *old, causes);
    }
    return causes;
  }

 private:
  static void checkRequired(const json::Value& object, Causes& causes) {
    if (!json::stringAt(object, {"eventTime"})) causes.push_back(requiredValue("eventTime"));
    constexpr Renaming required[] = {{"reportingComponent", "reportingController"},
                                     {"reportingInstance", "reportingInstance"},
                                     {"action", "action"},
                                     {"reason", "reason"}};
    for (const auto& [core, events] : required) {
      if (json::textAt(object, {core}).empty()) causes.push_back(requiredValue(std::string(events)));
    }
    const std::string type = json::textAt(object, {"type"});
    if (type != "Normal" && type != "Warning") {
      causes.push_back(invalidValue("type", jsonText(type), "has invalid value: " + type));
    }
  }

  // Only `series` may move once the event exists.
  static void checkUnchanged(const json::Value& object, const json::Value& old, Causes& causes) {
    for (const auto* member :
         {"involvedObject", "reason", "message", "source", "firstTimestamp", "lastTimestamp", "count", "type",
          "eventTime", "action", "related", "reportingComponent", "reportingInstance"}) {
      const auto *now = json::find(object, {member}), *then = json::find(old, {member});
      if (now && then ? json::equal(*now, *then) : now == then) continue;
      causes.push_back(invalidValue(member, now ? json::serialize(*now) : "null", "field is immutable"));
    }
  }
};

}  // namespace

RulesPtr eventRules() { return std::make_shared<EventRules>(); }
RulesPtr eventAliasRules() { return std::make_shared<EventAliasRules>(); }

}  // namespace ingot::apiserver
