#include "tests/contract/manifests/inventory.hpp"

namespace ingot::contract {

namespace {

// Keywords whose every value is a validation.
constexpr std::string_view kJudged[] = {"type",      "enum",     "pattern",      "format",  "minLength",
                                        "maxLength", "minItems", "maxItems",     "minimum", "maximum",
                                        "default",   "nullable", "minProperties"};
// Keywords of structure, and those that judge no object: map-type and atomic lists matter to server-side apply alone.
// The keys of a map list are judged with the list, anyOf with int-or-string.
constexpr std::string_view kOther[] = {"description",
                                       "properties",
                                       "items",
                                       "additionalProperties",
                                       "required",
                                       "anyOf",
                                       "x-kubernetes-map-type",
                                       "x-kubernetes-list-type",
                                       "x-kubernetes-list-map-keys",
                                       "x-kubernetes-validations",
                                       "x-kubernetes-int-or-string",
                                       "x-kubernetes-preserve-unknown-fields"};

bool isOneOf(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

bool isRequestsOwn(std::string_view where) { return where == "apiVersion" || where == "kind" || where == "metadata"; }

// The same for equal types, wherever they stand: without descriptions and the default of this place.
json::Value shapeOf(const json::Value& schema, bool inside = false) {
  if (const json::Array* items = schema.if_array()) {
    json::Array out;
    for (const auto& item : *items) out.push_back(shapeOf(item, true));
    return out;
  }
  if (!schema.is_object()) return schema;
  json::Object out;
  for (const auto& [name, value] : schema.get_object())
    if (!(name == "description" && value.is_string()) && (inside || name != "default"))
      out[name] = shapeOf(value, true);
  return out;
}

class Inventory {
 public:
  std::set<std::string> take(const json::Value& schema) {
    node(schema, "");
    return std::move(found_);
  }

 private:
  void add(std::string_view keyword, const std::string& where) { found_.insert(fmt::format("{} {}", keyword, where)); }

  void node(const json::Value& schema, const std::string& where) {
    const bool structured = json::find(schema, {"properties"}) != nullptr;
    if (structured && !shapes_.insert(json::serializeSorted(shapeOf(schema))).second) return;
    for (const auto& [name, value] : schema.as_object()) keyword(name, value, where);
    if (structured) add("unknown", below(where, "nonsense"));
    required(schema, where);
    children(schema, where);
  }

  void keyword(std::string_view name, const json::Value& value, const std::string& where) {
    if (name == "x-kubernetes-list-type" && value != "atomic")
      add("list-" + std::string(value.as_string()), where);
    else if (name == "x-kubernetes-int-or-string")
      add("int-or-string", where), add("type", where);
    else if (name == "x-kubernetes-preserve-unknown-fields")
      add("preserve", below(where, "anything"));
    else if (name == "x-kubernetes-validations")
      add("cel", where);
    else if (isOneOf(name, kJudged))
      judged(name, value, where);
    else if (!isOneOf(name, kOther))
      throw base::InvalidInput(where, "nobody said how " + std::string(name) + " is to be broken");
  }

  void judged(std::string_view name, const json::Value& value, const std::string& where) {
    const bool alwaysHolds = (name == "minLength" && value == 0) || (name == "type" && where.empty());
    if (!alwaysHolds) add(name, where);
  }

  // What has a default is never missing.
  void required(const json::Value& schema, const std::string& where) {
    const json::Array* names = json::arrayAt(schema, {"required"});
    if (!names) return;
    for (const auto& name : *names)
      if (!json::find(schema, {"properties", name.as_string(), "default"}))
        add("required", below(where, name.as_string()));
  }

  void children(const json::Value& schema, const std::string& where) {
    if (const json::Object* all = json::objectAt(schema, {"properties"}))
      for (const auto& [name, child] : *all)
        if (const std::string at = below(where, name); !isRequestsOwn(at)) node(child, at);
    if (const json::Value* items = json::find(schema, {"items"})) node(*items, where + "[0]");
    if (const json::Value* more = json::find(schema, {"additionalProperties"}); more && more->is_object())
      node(*more, below(where, "first"));
  }

  static std::string below(const std::string& where, std::string_view name) {
    return where.empty() ? std::string(name) : fmt::format("{}.{}", where, name);
  }

  std::set<std::string> found_, shapes_;
};

}  // namespace

std::set<std::string> validationsOf(const json::Value& schema) { return Inventory().take(schema); }

}  // namespace ingot::contract
