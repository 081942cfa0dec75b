#include "apiserver/openapi/openapi.hpp"

#include "apiserver/discovery/digest.hpp"
#include "apiserver/openapi/shared_schemas.hpp"

#include <cctype>

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

json::Object parameter(std::string_view name, std::string_view in, std::string_view type,
                       std::string_view description) {
  json::Object out{{"name", name},
                   {"in", in},
                   {"schema", json::Object{{"type", type}, {"uniqueItems", true}}},
                   {"description", description}};
  if (in == "path") out["required"] = true;
  return out;
}

json::Object content(std::string_view mediaType, const json::Object& schema) {
  return {{mediaType, json::Object{{"schema", schema}}}};
}

json::Array writeParameters(bool patch) {
  json::Array out{
      parameter("dryRun", "query", "string", "All: decide, but store nothing."),
      parameter("fieldManager", "query", "string", "Who writes."),
      parameter("fieldValidation", "query", "string", "Ignore, Warn or Strict: what happens to unknown fields.")};
  if (patch) out.push_back(parameter("force", "query", "boolean", "Only for server-side apply."));
  return out;
}

// The operations of one kind in one version as OpenAPI paths: of the collection, the namespaced collection, the object
// and its subresources.
class Paths {
 public:
  Paths(json::Object& paths, const ResourceInfo& info, const ServedVersion& version)
      : paths_(paths), info_(info), version_(version), name_(schemaName(info.group, version.name, info.kind)) {}

  void add() {
    const std::string root = (info_.group.empty() ? "/api/" : "/apis/" + info_.group + "/") + version_.name;
    const std::string collection =
        info_.namespaced ? root + "/namespaces/{namespace}/" + info_.plural : root + "/" + info_.plural;
    if (info_.namespaced) paths_[root + "/" + info_.plural] = json::Object{{"get", operation("list", listRef())}};
    paths_[collection] = collectionItem();
    paths_[collection + "/{name}"] = objectItem(true);
    if (version_.statusSubresource) paths_[collection + "/{name}/status"] = objectItem(false);
  }

 private:
  json::Object collectionItem() {
    json::Object item = common(false);
    item["get"] = operation("list", listRef());
    if (info_.offers("create")) item["post"] = write("post", false);
    if (info_.offers("deletecollection"))
      item["delete"] = operation("deletecollection", schemaRef(std::string(kMetaPrefix) + "Status"));
    return item;
  }

  json::Object objectItem(bool main) {
    json::Object item = common(true);
    item["get"] = operation("get", schemaRef(name_));
    if (info_.offers("update")) item["put"] = write("put", false);
    if (info_.offers("patch")) item["patch"] = write("patch", true);
    if (main && info_.offers("delete"))
      item["delete"] = operation("delete", schemaRef(std::string(kMetaPrefix) + "Status"));
    return item;
  }

  json::Object common(bool named) const {
    json::Array parameters;
    if (named) parameters.push_back(parameter("name", "path", "string", "name of the " + info_.kind));
    if (info_.namespaced) parameters.push_back(parameter("namespace", "path", "string", "object name and auth scope"));
    parameters.push_back(parameter("pretty", "query", "string", "Indents the answer."));
    return {{"parameters", std::move(parameters)}};
  }

  json::Object listRef() const { return schemaRef(name_ + "List"); }

  json::Object operation(std::string_view action, const json::Object& answer) {
    const std::string tag = std::string(info_.group.empty() ? "core" : info_.group) + "_" + version_.name;
    return {
        {"tags", json::Array{tag}},
        {"operationId", fmt::format("{}{}{}{}", action, capital(version_.name), info_.kind, ++counter_)},
        {"responses",
         json::Object{{"200", json::Object{{"description", "OK"}, {"content", content("application/json", answer)}}}}},
        {"x-kubernetes-action", action},
        {"x-kubernetes-group-version-kind",
         json::Object{{"group", info_.group}, {"version", version_.name}, {"kind", info_.kind}}}};
  }

  json::Object write(std::string_view action, bool patch) {
    json::Object out = operation(action, schemaRef(name_));
    out["parameters"] = writeParameters(patch);
    out["requestBody"] = json::Object{
        {"required", true}, {"content", patch ? patchContent() : content("application/json", schemaRef(name_))}};
    return out;
  }

  json::Object patchContent() const {
    json::Object out;
    const json::Object schema = schemaRef(std::string(kMetaPrefix) + "Patch");
    for (std::string_view type : {"application/json-patch+json", "application/merge-patch+json"})
      out[type] = json::Object{{"schema", schema}};
    if (!info_.custom) out["application/strategic-merge-patch+json"] = json::Object{{"schema", schema}};
    return out;
  }

  static std::string capital(std::string text) {
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
  }

  json::Object& paths_;
  const ResourceInfo& info_;
  const ServedVersion& version_;
  std::string name_;
  int counter_ = 0;
};

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
    Paths(paths, *info, *version).add();
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
