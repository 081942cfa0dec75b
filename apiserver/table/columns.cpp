#include "apiserver/table/columns.hpp"

#include "apiserver/table/age.hpp"
#include "apiserver/table/json_path.hpp"
#include "base/text.hpp"

#include <cmath>

namespace ingot::apiserver {

namespace {

json::Value textOf(const json::Value& v) {
  return v.is_string() ? json::Value(v.get_string()) : json::Value(json::serialize(v));
}

json::Value cellOf(const std::string& type, const json::Value& v, base::WallTime now) {
  if (v.is_null()) return nullptr;
  if (type == "string") return textOf(v);
  if (type == "date") return v.is_string() ? json::Value(ageSince(v.get_string(), now)) : json::Value();
  if (type == "integer") {
    if (v.is_double()) return static_cast<std::int64_t>(v.get_double());
    return v.is_number() ? v : json::Value();
  }
  if (type == "number") return v.is_number() ? v : json::Value();
  if (type == "boolean") return v.is_bool() ? v : json::Value();
  return nullptr;
}

TableColumn nameColumn() {
  return {
      "Name",
      "string",
      "name",
      "Name must be unique within a namespace. Is required when creating resources, although some resources may allow "
      "a client to request the generation of an appropriate name automatically.",
      0,
      [](const json::Value& object, base::WallTime) {
        return json::Value(json::textAt(object, {"metadata", "name"}));
      }};
}

TableColumn printed(const PrinterColumn& column) {
  const auto path = JsonPath::parse(column.jsonPath);
  return {column.name,
          column.type,
          column.format,
          column.description,
          column.priority,
          [path, type = column.type](const json::Value& object, base::WallTime now) -> json::Value {
            const json::Value* found = path ? path->find(object) : nullptr;
            return found ? cellOf(type, *found, now) : json::Value();
          }};
}

TableColumn age() {
  return {
      "Age", "string", "", "Time since the object was created.", 0, [](const json::Value& object, base::WallTime now) {
        return json::Value(ageSince(json::textAt(object, {"metadata", "creationTimestamp"}), now));
      }};
}

TableColumn text(std::string name, std::vector<std::string> path, int priority = 0) {
  return {
      std::move(name), "string", "", "", priority, [path = std::move(path)](const json::Value& object, base::WallTime) {
        const json::Value* at = &object;
        for (const auto& step : path)
          if (at) at = json::find(*at, {step});
        return at && !at->is_null() ? textOf(*at) : json::Value("");
      }};
}

TableColumn size(std::string name, std::vector<std::string> members) {
  return {
      std::move(name), "string", "", "", 0, [members = std::move(members)](const json::Value& object, base::WallTime) {
        std::int64_t count = 0;
        for (const auto& member : members)
          if (const json::Object* found = json::objectAt(object, {member}))
            count += static_cast<std::int64_t>(found->size());
        return json::Value(count);
      }};
}

// The first of these times that is set, as an age.
TableColumn since(std::string name, std::vector<std::vector<std::string>> paths, int priority) {
  return {std::move(name),
          "string",
          "",
          "",
          priority,
          [paths = std::move(paths)](const json::Value& object, base::WallTime now) {
            for (const auto& path : paths) {
              const json::Value* at = &object;
              for (const auto& step : path)
                if (at) at = json::find(*at, {step});
              if (at && at->is_string()) return json::Value(ageSince(at->get_string(), now));
            }
            return json::Value("<unknown>");
          }};
}

TableColumn eventObject() {
  return {"Object", "string", "", "", 0, [](const json::Value& event, base::WallTime) {
            const char* about = json::find(event, {"involvedObject"}) ? "involvedObject" : "regarding";
            return json::Value(base::lower(json::textAt(event, {about, "kind"})) + "/" +
                               json::textAt(event, {about, "name"}));
          }};
}

TableColumn eventSource() {
  return {"Source", "string", "", "", 1, [](const json::Value& event, base::WallTime) {
            std::string component = json::textAt(event, {"source", "component"});
            if (component.empty()) component = json::textAt(event, {"reportingComponent"});
            const std::string host = json::textAt(event, {"source", "host"});
            return json::Value(host.empty() ? component : component + ", " + host);
          }};
}

TableColumn eventCount() {
  return {"Count", "string", "", "", 1, [](const json::Value& event, base::WallTime) {
            const auto series = json::intAt(event, {"series", "count"});
            return json::Value(series ? *series : json::intAt(event, {"count"}).value_or(1));
          }};
}

TableColumns eventColumns() {
  TableColumn name = nameColumn();
  name.priority = 1;
  return {since("Last Seen", {{"series", "lastObservedTime"}, {"lastTimestamp"}, {"eventTime"}}, 0),
          text("Type", {"type"}),
          text("Reason", {"reason"}),
          eventObject(),
          text("Subobject", {"involvedObject", "fieldPath"}, 1),
          eventSource(),
          text("Message", {"message"}),
          since("First Seen", {{"firstTimestamp"}, {"eventTime"}}, 1),
          eventCount(),
          name};
}

TableColumn createdAt() {
  TableColumn column = text("Created At", {"metadata", "creationTimestamp"});
  column.type = "date";
  return column;
}

}  // namespace

TableColumns customColumns(const std::vector<PrinterColumn>& printer) {
  TableColumns out{nameColumn()};
  for (const auto& column : printer) out.push_back(printed(column));
  if (printer.empty()) out.push_back(printed({"Age", "date", "", "", ".metadata.creationTimestamp"}));
  return out;
}

TableColumns coreColumns(std::string_view kind) {
  if (kind == "Namespace") return {nameColumn(), text("Status", {"status", "phase"}), age()};
  if (kind == "Secret") return {nameColumn(), text("Type", {"type"}), size("Data", {"data"}), age()};
  if (kind == "ConfigMap") return {nameColumn(), size("Data", {"data", "binaryData"}), age()};
  if (kind == "Lease") return {nameColumn(), text("Holder", {"spec", "holderIdentity"}), age()};
  if (kind == "Event") return eventColumns();
  if (kind == "CustomResourceDefinition") return {nameColumn(), createdAt()};
  return {nameColumn(), age()};
}

}  // namespace ingot::apiserver
