#include "apiserver/crd/definition.hpp"

#include "apiserver/crd/naming.hpp"
#include "base/text.hpp"

#include <cctype>

namespace ingot::apiserver {

namespace {

std::vector<std::string> texts(const json::Value& v, std::initializer_list<std::string_view> path) {
  std::vector<std::string> out;
  if (const json::Array* all = json::arrayAt(v, path))
    for (const auto& item : *all)
      if (item.is_string()) out.emplace_back(item.get_string());
  return out;
}

const json::Array& versionsOf(const json::Value& crd) {
  static const json::Array none;
  const json::Array* all = json::arrayAt(crd, {"spec", "versions"});
  return all ? *all : none;
}

bool flag(const json::Value& v, std::string_view name) { return json::boolAt(v, {name}).value_or(false); }

std::vector<PrinterColumn> columnsOf(const json::Value& version) {
  std::vector<PrinterColumn> out;
  if (const json::Array* all = json::arrayAt(version, {"additionalPrinterColumns"}))
    for (const auto& column : *all)
      out.push_back({json::textAt(column, {"name"}), json::textAt(column, {"type"}), json::textAt(column, {"format"}),
                     json::textAt(column, {"description"}), json::textAt(column, {"jsonPath"}),
                     static_cast<int>(json::intAt(column, {"priority"}).value_or(0))});
  return out;
}

ServedVersion servedVersion(const json::Value& version) {
  ServedVersion out;
  out.name = json::textAt(version, {"name"});
  out.served = flag(version, "served");
  out.statusSubresource = json::find(version, {"subresources", "status"}) != nullptr;
  out.deprecated = flag(version, "deprecated");
  out.deprecationWarning = json::textAt(version, {"deprecationWarning"});
  return out;
}

json::Value openApiOf(const json::Value& crd, std::string_view version) {
  for (const auto& one : versionsOf(crd))
    if (json::textAt(one, {"name"}) == version)
      if (const json::Value* schema = json::find(one, {"schema", "openAPIV3Schema"})) return *schema;
  return json::Object{{"type", "object"}};  // the version has gone meanwhile
}

class Problems {
 public:
  Problems(const json::Value& crd, const ConvertibleKinds& convertible) : crd_(crd), convertible_(convertible) {}

  std::vector<StatusCause> find() {
    for (std::string_view name : {"plural", "kind"})
      require({"spec", "names", name}, "spec.names." + std::string(name));
    require({"spec", "group"}, "spec.group");
    scope();
    names();
    versions();
    conversion();
    return std::move(causes_);
  }

 private:
  void require(std::initializer_list<std::string_view> path, std::string field) {
    if (json::textAt(crd_, path).empty()) causes_.push_back(requiredValue(std::move(field)));
  }

  [[nodiscard]] GroupResource id() const {
    return {json::textAt(crd_, {"spec", "group"}), json::textAt(crd_, {"spec", "names", "plural"})};
  }

  void scope() {
    const std::string scope = json::textAt(crd_, {"spec", "scope"});
    if (scope.empty())
      causes_.push_back(requiredValue("spec.scope"));
    else if (scope != "Namespaced" && scope != "Cluster")
      causes_.push_back(unsupportedValue("spec.scope", json::serialize(json::Value(scope)), {"Cluster", "Namespaced"}));
  }

  void names() {
    const std::string wanted =
        json::textAt(crd_, {"spec", "names", "plural"}) + "." + json::textAt(crd_, {"spec", "group"});
    const std::string name = json::textAt(crd_, {"metadata", "name"});
    if (name != wanted)
      causes_.push_back(invalidValue("metadata.name", json::serialize(json::Value(name)),
                                     "must be spec.names.plural+\".\"+spec.group"));
    if (isBuiltIn(id(), json::textAt(crd_, {"spec", "names", "kind"})))
      causes_.push_back(forbiddenValue("spec.names", "this server has a kind of this name itself"));
  }

  void versions() {
    const json::Array& all = versionsOf(crd_);
    std::size_t stored = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (flag(all[i], "storage")) ++stored;
      version(all[i], fmt::format("spec.versions[{}]", i));
    }
    if (all.empty() || stored != 1)
      causes_.push_back(invalidValue("spec.versions",
                                     json::serialize(json::Array(all.begin(), all.end())).substr(0, 200),
                                     "must have exactly one version marked as storage version"));
  }

  void version(const json::Value& v, const std::string& field) {
    if (json::find(v, {"subresources", "scale"}))
      causes_.push_back(forbiddenValue(field + ".subresources.scale", "not supported by this server"));
    if (json::arrayAt(v, {"selectableFields"}))
      causes_.push_back(forbiddenValue(field + ".selectableFields", "not supported by this server"));
    const json::Value* schema = json::find(v, {"schema", "openAPIV3Schema"});
    if (!schema) return causes_.push_back(requiredValue(field + ".schema.openAPIV3Schema", "schemas are required"));
    try {
      (void)compileSchema(*schema);
    } catch (const SchemaError& problem) {
      causes_.push_back(invalidValue(field + ".schema." + problem.path(), "\"\"", problem.what()));
    }
  }

  void conversion() {
    const std::string strategy = json::textAt(crd_, {"spec", "conversion", "strategy"});
    if (strategy.empty() || strategy == "None") return;
    if (strategy == "Webhook" && convertible_.contains(id())) return;
    causes_.push_back(unsupportedValue("spec.conversion.strategy", json::serialize(json::Value(strategy)), {"None"}));
  }

  const json::Value& crd_;
  const ConvertibleKinds& convertible_;
  std::vector<StatusCause> causes_;
};

}  // namespace

void defaultCrd(json::Value& crd) {
  if (!json::objectAt(crd, {"spec", "names"})) return;
  json::Object& names = json::makeObjectAt(crd, {"spec", "names"});
  const std::string kind = json::textAt(crd, {"spec", "names", "kind"});
  if (json::textAt(crd, {"spec", "names", "singular"}).empty()) names["singular"] = base::lower(kind);
  if (json::textAt(crd, {"spec", "names", "listKind"}).empty()) names["listKind"] = kind + "List";
  if (!json::find(crd, {"spec", "conversion"})) json::makeObjectAt(crd, {"spec", "conversion"})["strategy"] = "None";
}

std::vector<StatusCause> crdProblems(const json::Value& crd, const ConvertibleKinds& convertible) {
  return Problems(crd, convertible).find();
}

std::string storageVersionOf(const json::Value& crd) {
  for (const auto& version : versionsOf(crd))
    if (flag(version, "storage")) return json::textAt(version, {"name"});
  return "";
}

CrdDefinition readCrd(const json::Value& crd, const json::Value& names, std::shared_ptr<const CrdDocument> document) {
  CrdDefinition out;
  ResourceInfo& info = out.info;
  info.group = json::textAt(crd, {"spec", "group"});
  info.plural = json::textAt(names, {"plural"});
  info.singular = json::textAt(names, {"singular"});
  info.kind = json::textAt(names, {"kind"});
  info.listKind = json::textAt(names, {"listKind"});
  info.shortNames = texts(names, {"shortNames"});
  info.categories = texts(names, {"categories"});
  info.namespaced = json::textAt(crd, {"spec", "scope"}) != "Cluster";
  info.custom = true;
  info.hasGeneration = true;
  info.updateNeedsVersion = true;
  for (const auto& version : versionsOf(crd)) {
    info.versions.push_back(servedVersion(version));
    const std::string& name = info.versions.back().name;
    const auto openApi = [document, name] { return openApiOf(documentOf(*document->object), name); };
    out.schemas[name] = std::make_shared<const KindSchema>(openApi, columnsOf(version));
  }
  info.storageVersion = storageVersionOf(crd);
  out.byWebhook = json::textAt(crd, {"spec", "conversion", "strategy"}) == "Webhook";
  std::sort(info.versions.begin(), info.versions.end(),
            [](const ServedVersion& a, const ServedVersion& b) { return precedesVersion(a.name, b.name); });
  return out;
}

}  // namespace ingot::apiserver
