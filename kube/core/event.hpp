// core/v1 Event: what happened to an object, for people (spec/kubernetes-api.md §11).
#pragma once

#include "json/describe.hpp"
#include "kube/core/kind.hpp"
#include "kube/core/object_reference.hpp"

#include <optional>
#include <string>

namespace ingot::kube {

struct EventSource {
  std::string component, host;

  static void describe(auto& v) {
    v.field("component", &EventSource::component);
    v.field("host", &EventSource::host);
  }
  friend bool operator==(const EventSource&, const EventSource&) = default;
};

struct Event {
  ObjectMeta metadata;
  ObjectReference involvedObject;
  std::string reason, message;
  EventSource source;
  std::optional<base::WallTime> firstTimestamp, lastTimestamp;
  std::optional<json::MicroTime> eventTime;
  std::int64_t count = 0;
  std::string type;  // Normal | Warning
  std::string action;
  std::optional<ObjectReference> related;
  std::string reportingComponent, reportingInstance;

  static const KindInfo info;

  static void describe(auto& v) {
    v.field("metadata", &Event::metadata);
    v.field("involvedObject", &Event::involvedObject).required();
    v.field("reason", &Event::reason);
    v.field("message", &Event::message);
    v.field("source", &Event::source);
    v.field("firstTimestamp", &Event::firstTimestamp);
    v.field("lastTimestamp", &Event::lastTimestamp);
    v.field("eventTime", &Event::eventTime);
    v.field("count", &Event::count);
    v.field("type", &Event::type);
    v.field("action", &Event::action);
    v.field("related", &Event::related);
    v.field("reportingComponent", &Event::reportingComponent).always();
    v.field("reportingInstance", &Event::reportingInstance).always();
  }
  friend bool operator==(const Event&, const Event&) = default;
};

}  // namespace ingot::kube

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::kube::Event>();
