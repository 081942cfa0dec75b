// A structural OpenAPI v3 schema, as a CustomResourceDefinition carries it (spec/kubernetes-api.md §8), compiled once.
#pragma once

#include "base/error.hpp"
#include "json/value.hpp"
#include "kube/schema/pattern.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::kube {

// The schema uses something that this server would have to ignore. `path` leads to it inside the schema.
class SchemaError final : public base::Error {
 public:
  SchemaError(std::string path, const std::string& problem) : Error(path + ": " + problem), path_(std::move(path)) {}
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct Schema;
using SchemaPtr = std::shared_ptr<const Schema>;

// The CEL rules that are known by their text (§8.2). Any other rule makes the schema unusable.
enum class CelRule {
  notReservedConditionType,
  itemsUnique,
  partitionType,
  layoutOrDiskLayout,
  namesUnique,
  immutable,
  approvalComplete
};

struct Rule {
  CelRule rule;
  std::string message;
};

struct Schema {
  enum class Type { any, object, array, string, integer, number, boolean };
  enum class List { atomic, set, map };

  Type type = Type::any;
  bool nullable = false, intOrString = false, anyOf = false /* of integer and string */, preserveUnknown = false,
       embeddedResource = false;

  std::map<std::string, SchemaPtr, std::less<>> properties;
  SchemaPtr items;
  SchemaPtr additional;        // additionalProperties as a schema
  bool additionalAny = false;  // additionalProperties: true
  std::vector<std::string> required;

  std::vector<json::Value> allowed;  // enum
  std::optional<json::Value> defaultValue;
  std::optional<Pattern> pattern;
  std::string format;
  std::optional<std::int64_t> minLength, maxLength, minItems, maxItems, minProperties, maxProperties;
  std::optional<double> minimum, maximum;
  bool exclusiveMinimum = false, exclusiveMaximum = false;

  List list = List::atomic;
  std::vector<std::string> listKeys;  // of List::map
  std::vector<Rule> rules;
  bool rulesBelow = false;  // here or anywhere below

  [[nodiscard]] const Schema* property(std::string_view name) const;
  // The schema of member `name`: its property, or what additionalProperties says. nullptr: unknown.
  [[nodiscard]] const Schema* member(std::string_view name) const;
  // Members that are not declared are kept as they are.
  [[nodiscard]] bool keepsUnknown() const { return preserveUnknown || additionalAny; }
};

// Throws SchemaError.
[[nodiscard]] SchemaPtr compileSchema(const json::Value& openApi);

// "boolean", "integer" …; "integer,string" for int-or-string.
[[nodiscard]] std::string_view typeText(const Schema& schema);

// The members of metadata that Kubernetes knows; everything else in metadata is unknown.
[[nodiscard]] const Schema& objectMetaSchema();

}  // namespace ingot::kube
