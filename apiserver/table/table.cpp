#include "apiserver/table/table.hpp"

namespace ingot::apiserver {

json::Value partialMetadata(const json::Value& object, std::string_view version) {
  json::Object out{{"kind", "PartialObjectMetadata"}, {"apiVersion", fmt::format("meta.k8s.io/{}", version)}};
  const json::Value* metadata = json::find(object, {"metadata"});
  out["metadata"] = metadata ? *metadata : json::Value(json::Object());
  return out;
}

TableWriter::TableWriter(TableColumns columns, IncludeObject include, base::WallTime now, std::string version)
    : columns_(std::move(columns)), include_(include), now_(now), version_(std::move(version)) {}

void TableWriter::add(const json::Value& object) {
  json::Array cells;
  for (const auto& column : columns_) cells.push_back(column.cell(object, now_));
  if (!rows_.empty()) rows_ += ',';
  rows_ += "{\"cells\":" + json::serialize(cells) + ",\"object\":";
  switch (include_) {
    case IncludeObject::none: rows_ += "null"; break;
    case IncludeObject::object: rows_ += json::serialize(object); break;
    case IncludeObject::metadata: rows_ += json::serialize(partialMetadata(object, version_)); break;
  }
  rows_ += '}';
}

std::string TableWriter::definitions() const {
  json::Array all;
  for (const auto& column : columns_)
    all.push_back({{"name", column.name},
                   {"type", column.type},
                   {"format", column.format},
                   {"description", column.description},
                   {"priority", column.priority}});
  return json::serialize(all);
}

std::string TableWriter::finish(std::string_view metadata, bool withDefinitions) {
  return fmt::format(
      R"({{"kind":"Table","apiVersion":"meta.k8s.io/{}","metadata":{},"columnDefinitions":{},"rows":[{}]}})", version_,
      metadata, withDefinitions ? definitions() : "null", std::exchange(rows_, {}));
}

}  // namespace ingot::apiserver
