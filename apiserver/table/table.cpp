#include "apiserver/table/table.hpp"

namespace ingot::apiserver {

std::string partialMetadata(const json::Value& object, std::string_view version) {
  const json::Value* metadata = json::find(object, {"metadata"});
  return fmt::format(R"({{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/{}","metadata":{}}})", version,
                     metadata ? json::serialize(*metadata) : "{}");
}

TableWriter::TableWriter(TableColumns columns, IncludeObject include, std::string version)
    : columns_(std::move(columns)), include_(include), version_(std::move(version)) {}

std::string TableWriter::row(const json::Value& object, base::WallTime now) const {
  json::Array cells;
  cells.reserve(columns_.size());
  for (const auto& column : columns_) cells.push_back(column.cell(object, now));
  std::string row = "{\"cells\":" + json::serialize(cells) + ",\"object\":";
  switch (include_) {
    case IncludeObject::none: row += "null"; break;
    case IncludeObject::object: row += json::serialize(object); break;
    case IncludeObject::metadata: row += partialMetadata(object, version_); break;
  }
  row += '}';
  return row;
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

std::string TableWriter::head(std::string_view metadata, bool withDefinitions) const {
  return fmt::format(R"({{"kind":"Table","apiVersion":"meta.k8s.io/{}","metadata":{},"columnDefinitions":{},"rows":[)",
                     version_, metadata, withDefinitions ? definitions() : "null");
}

}  // namespace ingot::apiserver
