#include "api/crd/crd.hpp"

#include "base/text.hpp"

namespace ingot::api {

namespace {

json::Array texts(std::span<const std::string_view> all) {
  json::Array out;
  for (const auto text : all) out.emplace_back(json::Value(text));
  return out;
}

json::Object namesOf(const kube::KindInfo& kind) {
  json::Object names;
  names["kind"] = json::Value(kind.kind);
  names["listKind"] = kind.listKind.empty() ? std::string(kind.kind) + "List" : std::string(kind.listKind);
  names["plural"] = json::Value(kind.plural);
  names["singular"] = kind.singular.empty() ? base::lower(kind.kind) : std::string(kind.singular);
  if (!kind.shortNames.empty()) names["shortNames"] = texts(kind.shortNames);
  if (!kind.categories.empty()) names["categories"] = texts(kind.categories);
  return names;
}

json::Object columnOf(const kube::Column& column) {
  json::Object out;
  if (!column.description.empty()) out["description"] = json::Value(column.description);
  if (!column.format.empty()) out["format"] = json::Value(column.format);
  out["jsonPath"] = json::Value(column.jsonPath);
  out["name"] = json::Value(column.name);
  if (column.priority != 0) out["priority"] = column.priority;
  out["type"] = json::Value(column.type);
  return out;
}

// The server knows what metadata holds; a CRD only says that it is there.
json::Object completed(const kube::KindInfo& kind, json::Object schema) {
  if (!kind.doc.empty()) schema["description"] = json::Value(kind.doc);
  auto& properties = schema["properties"].get_object();
  properties["apiVersion"] = json::Object{{"type", "string"}, {"description", "Group and version of the kind."}};
  properties["kind"] = json::Object{{"type", "string"}, {"description", "Name of the kind."}};
  properties["metadata"] = json::Object{{"type", "object"}};
  return schema;
}

json::Object versionOf(CrdVersion from) {
  const kube::KindInfo& kind = *from.kind;
  json::Object version;
  json::Array columns;
  for (const auto& column : kind.columns) columns.push_back(columnOf(column));
  if (!columns.empty()) version["additionalPrinterColumns"] = std::move(columns);
  if (from.deprecated) version["deprecated"] = true;
  version["name"] = json::Value(kind.version);
  version["schema"] = json::Object{{"openAPIV3Schema", completed(kind, std::move(from.schema))}};
  version["served"] = true;
  version["storage"] = from.storage;
  version["subresources"] = kind.statusSubresource ? json::Object{{"status", json::Object()}} : json::Object();
  return version;
}

json::Object metadataOf(const kube::KindInfo& kind, CrdMeta meta) {
  json::Object out;
  if (!meta.annotations.empty()) out["annotations"] = std::move(meta.annotations);
  if (!meta.labels.empty()) out["labels"] = std::move(meta.labels);
  out["name"] = std::string(kind.plural) + "." + std::string(kind.group);
  return out;
}

}  // namespace

json::Object crdOf(std::vector<CrdVersion> versions, CrdMeta meta) {
  const kube::KindInfo& kind = *versions.front().kind;
  json::Object spec;
  if (!meta.conversion.empty()) spec["conversion"] = std::move(meta.conversion);
  spec["group"] = json::Value(kind.group);
  spec["names"] = namesOf(kind);
  spec["scope"] = kind.namespaced ? "Namespaced" : "Cluster";
  json::Array all;
  for (auto& version : versions) all.push_back(versionOf(std::move(version)));
  spec["versions"] = std::move(all);

  json::Object crd;
  crd["apiVersion"] = "apiextensions.k8s.io/v1";
  crd["kind"] = "CustomResourceDefinition";
  crd["metadata"] = metadataOf(kind, std::move(meta));
  crd["spec"] = std::move(spec);
  return crd;
}

}  // namespace ingot::api
