#include "apiserver/openapi/openapi.hpp"

#include "apiserver/discovery/digest.hpp"
#include "apiserver/openapi/paths.hpp"
#include "apiserver/openapi/shared_schemas.hpp"

namespace ingot::apiserver {

namespace {

json::Array kindExtension(const ResourceInfo& info, std::string_view version, std::string_view kind) {
  return {json::Object{{"group", info.group}, {"kind", kind}, {"version", version}}};
}

json::Object typeMember(std::string_view description) { return {{"type", "string"}, {"description", description}}; }

json::Object rootSchema(json::Value openApi, const ResourceInfo& info, std::string_view version) {
  json::Object schema = std::move(openApi.get_object());
  json::Value& properties = schema["properties"];
  if (!properties.is_object()) properties = json::Object();
  json::Object all{
      {"apiVersion", typeMember("The versioned schema of this representation of an object.")},
      {"kind", typeMember("The kind of this object.")},
      {"metadata", json::Object{{"description", "Standard object's metadata."},
                                {"allOf", json::Array{schemaRef(std::string(kMetaPrefix) + "ObjectMeta")}}}}};
  for (const auto& [name, property] : properties.get_object())
    if (!all.contains(name)) all[name] = property;
  properties = std::move(all);
  schema["x-kubernetes-group-version-kind"] = kindExtension(info, version, info.kind);
  return schema;
}

json::Object listSchema(const ResourceInfo& info, std::string_view version, const std::string& item) {
  return {{"type", "object"},
          {"description", info.listKind + " is a list of " + info.kind},
          {"required", json::Array{"items"}},
          {"properties",
           json::Object{
               {"apiVersion", typeMember("The versioned schema of this list.")},
               {"kind", typeMember("The kind of this list.")},
               {"metadata", json::Object{{"allOf", json::Array{schemaRef(std::string(kMetaPrefix) + "ListMeta")}}}},
               {"items", json::Object{{"type", "array"}, {"items", schemaRef(item)}}}}},
          {"x-kubernetes-group-version-kind", kindExtension(info, version, info.listKind)}};
}

std::string pathOf(const GroupVersion& of) {
  return of.group.empty() ? "api/" + of.version : "apis/" + of.group + "/" + of.version;
}

}  // namespace

void OpenApi::refresh() {
  const std::pair now{registry_.definitionsChanged(), catalog_.changes()};
  if (built_ == now) return;
  known_.clear();
  for (const auto& of : discovery_.groupVersions()) known_.emplace(pathOf(of), Known{of, build(of).hash});
  built_ = now;
}

// As text from the start: a tree of all schemas of a group would take several times the room.
OpenApi::Document OpenApi::build(const GroupVersion& of) const {
  json::Object paths;
  std::string schemas = json::serialize(sharedSchemas());
  schemas.pop_back();  // open for more
  const auto add = [&](const std::string& name, const json::Object& schema) {
    schemas += fmt::format(",\"{}\":{}", name, json::serialize(schema));
  };
  for (const auto& info : registry_.resources()) {
    const ServedVersion* version = info->group == of.group ? info->findVersion(of.version) : nullptr;
    if (!version || !version->served) continue;
    addPaths(paths, *info, *version);
    const std::string name = schemaName(info->group, version->name, info->kind);
    const KindSchemaPtr known = catalog_.find(info->id(), version->name);
    add(name, rootSchema(known ? known->openApi() : json::Object{{"type", "object"}}, *info, version->name));
    add(name + "List", listSchema(*info, version->name, name));
  }
  Document out;
  out.body = fmt::format(
      R"({{"openapi":"3.0.0","info":{{"title":"Kubernetes","version":"v1.36.3+ingot"}},"paths":{},"components":{{"schemas":{}}}}}}})",
      json::serialize(paths), schemas);
  out.hash = sha512Hex(out.body);
  return out;
}

std::string OpenApi::index() {
  refresh();
  json::Object paths;
  for (const auto& [path, known] : known_)
    paths[path] = json::Object{{"serverRelativeURL", "/openapi/v3/" + path + "?hash=" + known.hash}};
  return json::serialize(json::Object{{"paths", std::move(paths)}});
}

std::optional<OpenApi::Document> OpenApi::document(std::string_view path) {
  refresh();
  const auto found = known_.find(path);
  if (found == known_.end()) return std::nullopt;
  return build(found->second.of);
}

}  // namespace ingot::apiserver
