#include "kube/schema/schema.hpp"

#include "kube/schema/cel_rules.hpp"

namespace ingot::kube {

namespace {

using Path = std::string;

std::optional<std::int64_t> wholeAt(const json::Value& v, std::string_view key) { return json::intAt(v, {key}); }

std::optional<double> numberAt(const json::Value& v, std::string_view key) {
  const json::Value* found = json::find(v, {key});
  if (!found || !found->is_number()) return std::nullopt;
  return found->to_number<double>();
}

bool flagAt(const json::Value& v, std::string_view key) { return json::boolAt(v, {key}).value_or(false); }

Schema::Type typeOf(std::string_view text, const Path& path) {
  static constexpr std::pair<std::string_view, Schema::Type> kTypes[] = {
      {"", Schema::Type::any},           {"object", Schema::Type::object},   {"array", Schema::Type::array},
      {"string", Schema::Type::string},  {"integer", Schema::Type::integer}, {"number", Schema::Type::number},
      {"boolean", Schema::Type::boolean}};
  for (const auto& [name, type] : kTypes)
    if (name == text) return type;
  throw SchemaError(path + ".type", "\"" + std::string(text) + "\" is not a type");
}

Schema::List listOf(std::string_view text, const Path& path) {
  if (text.empty() || text == "atomic") return Schema::List::atomic;
  if (text == "set") return Schema::List::set;
  if (text == "map") return Schema::List::map;
  throw SchemaError(path + ".x-kubernetes-list-type", "\"" + std::string(text) + "\" is not a list type");
}

std::vector<std::string> textsAt(const json::Value& v, std::string_view key) {
  std::vector<std::string> out;
  const json::Array* all = json::arrayAt(v, {key});
  if (!all) return out;
  for (const auto& item : *all)
    if (item.is_string()) out.emplace_back(item.get_string());
  return out;
}

// A keyword that this server could only ignore is refused, so that nobody relies on a check that is not made.
void refuseUnsupported(const json::Value& v, const Path& path, bool intOrString) {
  for (std::string_view key : {"allOf", "oneOf", "not", "multipleOf", "$ref"})
    if (json::find(v, {key})) throw SchemaError(path + "." + std::string(key), "is not supported by this server");
  if (json::find(v, {"anyOf"}) && !intOrString) throw SchemaError(path + ".anyOf", "is not supported by this server");
  if (flagAt(v, "uniqueItems")) throw SchemaError(path + ".uniqueItems", "is not supported by this server");
}

Pattern patternOf(std::string_view text, const Path& path) {
  try {
    return Pattern(std::string(text));
  } catch (const base::InvalidInput& problem) {
    throw SchemaError(path + ".pattern", problem.what());
  }
}

std::vector<Rule> rulesOf(const json::Value& v, const Path& path) {
  std::vector<Rule> out;
  const json::Array* all = json::arrayAt(v, {"x-kubernetes-validations"});
  if (!all) return out;
  for (const auto& item : *all) {
    const auto rule = knownRule(json::textAt(item, {"rule"}));
    if (!rule || item.get_object().size() > 2)
      throw SchemaError(path + ".x-kubernetes-validations",
                        "the rule " + json::serialize(item) + " is not one that this server can evaluate");
    out.push_back({*rule, json::textAt(item, {"message"})});
  }
  return out;
}

SchemaPtr compile(const json::Value& v, const Path& path);

void compileChildren(Schema& out, const json::Value& v, const Path& path) {
  if (const json::Object* all = json::objectAt(v, {"properties"}))
    for (const auto& [name, child] : *all)
      out.properties.emplace(name, compile(child, path + ".properties[" + std::string(name) + "]"));
  if (const json::Value* items = json::find(v, {"items"})) out.items = compile(*items, path + ".items");
  if (const json::Value* more = json::find(v, {"additionalProperties"})) {
    if (more->is_object())
      out.additional = compile(*more, path + ".additionalProperties");
    else
      out.additionalAny = more->is_bool() && more->get_bool();
  }
}

void compileLimits(Schema& out, const json::Value& v, const Path& path) {
  out.minLength = wholeAt(v, "minLength");
  out.maxLength = wholeAt(v, "maxLength");
  out.minItems = wholeAt(v, "minItems");
  out.maxItems = wholeAt(v, "maxItems");
  out.minProperties = wholeAt(v, "minProperties");
  out.maxProperties = wholeAt(v, "maxProperties");
  out.minimum = numberAt(v, "minimum");
  out.maximum = numberAt(v, "maximum");
  out.exclusiveMinimum = flagAt(v, "exclusiveMinimum");
  out.exclusiveMaximum = flagAt(v, "exclusiveMaximum");
  out.format = json::textAt(v, {"format"});
  if (const auto text = json::stringAt(v, {"pattern"})) out.pattern = patternOf(*text, path);
  if (const json::Array* all = json::arrayAt(v, {"enum"})) out.allowed.assign(all->begin(), all->end());
  if (const json::Value* value = json::find(v, {"default"})) out.defaultValue = *value;
}

bool anyRules(const Schema& s) {
  if (!s.rules.empty()) return true;
  for (const auto& [name, child] : s.properties)
    if (child->rulesBelow) return true;
  return (s.items && s.items->rulesBelow) || (s.additional && s.additional->rulesBelow);
}

SchemaPtr compile(const json::Value& v, const Path& path) {
  if (!v.is_object()) throw SchemaError(path, "expected object, got " + std::string(json::kindName(v)));
  auto out = std::make_shared<Schema>();
  out->type = typeOf(json::textAt(v, {"type"}), path);
  out->nullable = flagAt(v, "nullable");
  out->intOrString = flagAt(v, "x-kubernetes-int-or-string");
  out->preserveUnknown = flagAt(v, "x-kubernetes-preserve-unknown-fields");
  out->embeddedResource = flagAt(v, "x-kubernetes-embedded-resource");
  out->anyOf = json::find(v, {"anyOf"}) != nullptr;
  refuseUnsupported(v, path, out->intOrString);
  out->required = textsAt(v, "required");
  out->list = listOf(json::textAt(v, {"x-kubernetes-list-type"}), path);
  out->listKeys = textsAt(v, "x-kubernetes-list-map-keys");
  out->rules = rulesOf(v, path);
  compileLimits(*out, v, path);
  compileChildren(*out, v, path);
  out->rulesBelow = anyRules(*out);
  return out;
}

constexpr std::string_view kObjectMeta = R"({"type":"object","properties":{
  "name":{"type":"string"},"generateName":{"type":"string"},"namespace":{"type":"string"},"selfLink":{"type":"string"},
  "uid":{"type":"string"},"resourceVersion":{"type":"string"},"generation":{"type":"integer","format":"int64"},
  "creationTimestamp":{"type":"string","format":"date-time"},"deletionTimestamp":{"type":"string","format":"date-time"},
  "deletionGracePeriodSeconds":{"type":"integer","format":"int64"},
  "labels":{"type":"object","additionalProperties":{"type":"string"}},
  "annotations":{"type":"object","additionalProperties":{"type":"string"}},
  "ownerReferences":{"type":"array","items":{"type":"object","properties":{
    "apiVersion":{"type":"string"},"kind":{"type":"string"},"name":{"type":"string"},"uid":{"type":"string"},
    "controller":{"type":"boolean"},"blockOwnerDeletion":{"type":"boolean"}}}},
  "finalizers":{"type":"array","items":{"type":"string"}},
  "managedFields":{"type":"array","items":{"type":"object","properties":{
    "manager":{"type":"string"},"operation":{"type":"string"},"apiVersion":{"type":"string"},"time":{"type":"string"},
    "fieldsType":{"type":"string"},"fieldsV1":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
    "subresource":{"type":"string"}}}}}})";

}  // namespace

const Schema* Schema::property(std::string_view name) const {
  const auto found = properties.find(name);
  return found == properties.end() ? nullptr : found->second.get();
}

const Schema* Schema::member(std::string_view name) const {
  if (const Schema* declared = property(name)) return declared;
  return additional.get();
}

SchemaPtr compileSchema(const json::Value& openApi) { return compile(openApi, "openAPIV3Schema"); }

std::string_view typeText(const Schema& schema) {
  if (schema.intOrString) return "integer,string";
  switch (schema.type) {
    case Schema::Type::any: return "";
    case Schema::Type::object: return "object";
    case Schema::Type::array: return "array";
    case Schema::Type::string: return "string";
    case Schema::Type::integer: return "integer";
    case Schema::Type::number: return "number";
    case Schema::Type::boolean: return "boolean";
  }
  return "";
}

const Schema& objectMetaSchema() {
  static const SchemaPtr schema = compileSchema(json::parse(kObjectMeta));
  return *schema;
}

}  // namespace ingot::kube
