#include "apiserver/openapi/paths.hpp"

#include "apiserver/openapi/shared_schemas.hpp"

#include <cctype>

namespace ingot::apiserver {

namespace {

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

}  // namespace

void addPaths(json::Object& paths, const ResourceInfo& info, const ServedVersion& version) {
  Paths(paths, info, version).add();
}

}  // namespace ingot::apiserver
