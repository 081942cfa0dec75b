#include "apiserver/schema/validate.hpp"

#include "apiserver/schema/cel_rules.hpp"
#include "apiserver/schema/correlate.hpp"
#include "apiserver/schema/field_path.hpp"
#include "apiserver/schema/formats.hpp"

#include <cmath>

namespace ingot::apiserver {

namespace {

std::string quoted(std::string_view text) { return json::serialize(json::Value(text)); }

// Go's names of JSON types, as type errors quote them.
std::string_view typeNameOf(const json::Value& v) {
  switch (v.kind()) {
    case boost::json::kind::null: return "null";
    case boost::json::kind::bool_: return "boolean";
    case boost::json::kind::int64:
    case boost::json::kind::uint64: return "integer";
    case boost::json::kind::double_: return "number";
    case boost::json::kind::string: return "string";
    case boost::json::kind::array: return "array";
    case boost::json::kind::object: return "object";
  }
  return "";
}

bool isWhole(const json::Value& v) {
  if (v.is_int64() || v.is_uint64()) return true;
  return v.is_double() && std::isfinite(v.get_double()) && std::floor(v.get_double()) == v.get_double();
}

bool hasType(const Schema& schema, const json::Value& v) {
  if (v.is_null()) return schema.nullable || (schema.type == Schema::Type::any && !schema.intOrString);
  if (schema.intOrString) return v.is_string() || isWhole(v);
  switch (schema.type) {
    case Schema::Type::any: return true;
    case Schema::Type::object: return v.is_object();
    case Schema::Type::array: return v.is_array();
    case Schema::Type::string: return v.is_string();
    case Schema::Type::integer: return isWhole(v);
    case Schema::Type::number: return v.is_number();
    case Schema::Type::boolean: return v.is_bool();
  }
  return true;
}

std::string count(std::int64_t n, std::string_view unit) { return fmt::format("{} {}{}", n, unit, n == 1 ? "" : "s"); }

class Validation {
 public:
  explicit Validation(std::vector<StatusCause>& causes) : causes_(causes) {}

  void node(const Schema& schema, const json::Value& v, const json::Value* old, const FieldPath& at) {
    if (unchanged(v, old)) return;
    if (!hasType(schema, v)) wrongType(schema, v, at);
    if (v.is_string()) text(schema, v.get_string(), at);
    if (v.is_number()) number(schema, v, at);
    if (v.is_array() && !schema.intOrString) items(schema, v.get_array(), at);
    allowed(schema, v, at);
    if (v.is_object()) members(schema, v.get_object(), at);
    eachChild(schema, v, old, at,
              [this](const Schema& s, const json::Value& child, const json::Value* before, const FieldPath& path) {
                node(s, child, before, path);
              });
  }

 private:
  void add(std::string_view reason, std::string message, std::string field) {
    causes_.push_back({std::string(reason), std::move(message), field.empty() ? "<nil>" : std::move(field)});
  }

  void invalid(std::string_view value, const FieldPath& at, const std::string& rest) {
    const std::string field = at.text();
    add("FieldValueInvalid", fmt::format("Invalid value: {}: {} in body {}", value, field, rest), field);
  }

  void wrongType(const Schema& schema, const json::Value& v, const FieldPath& at) {
    const std::string field = at.text();
    const std::string name = quoted(typeNameOf(v));
    add("FieldValueTypeInvalid",
        fmt::format("Invalid value: {}: {} in body must be of type {}: {}", name, field, typeText(schema), name),
        field);
  }

  void text(const Schema& schema, std::string_view v, const FieldPath& at) {
    const auto length = static_cast<std::int64_t>(runes(v));
    if (schema.maxLength && length > *schema.maxLength)
      add("FieldValueTooLong", "Too long: may not be more than " + count(*schema.maxLength, "byte"), at.text());
    if (schema.minLength && length < *schema.minLength)
      invalid(quoted(v), at, fmt::format("should be at least {} chars long", *schema.minLength));
    if (schema.pattern && !schema.pattern->found(v))
      invalid(quoted(v), at, "should match '" + schema.pattern->text() + "'");
    if (schema.type == Schema::Type::string && !stringHasFormat(v, schema.format)) wrongFormat(schema, v, at);
  }

  void wrongFormat(const Schema& schema, std::string_view v, const FieldPath& at) {
    add("FieldValueTypeInvalid",
        fmt::format("Invalid value: {}: {} in body must be of type {}: {}", quoted(v), at.leaf(), schema.format,
                    quoted(v)),
        at.text());
  }

  void number(const Schema& schema, const json::Value& v, const FieldPath& at) {
    if (!numberHasFormat(v, schema.format))
      add("FieldValueInvalid",
          fmt::format("Invalid value: \"\": Checked value must be of type {} with format {} in {}", typeText(schema),
                      schema.format, at.text()),
          "");
    const double n = v.to_number<double>();
    const std::string shown = json::serialize(v);
    if (schema.minimum && (schema.exclusiveMinimum ? n <= *schema.minimum : n < *schema.minimum))
      invalid(shown, at,
              fmt::format("should be greater than {}{}", schema.exclusiveMinimum ? "" : "or equal to ",
                          json::serialize(json::Value(*schema.minimum))));
    if (schema.maximum && (schema.exclusiveMaximum ? n >= *schema.maximum : n > *schema.maximum))
      invalid(shown, at,
              fmt::format("should be less than {}{}", schema.exclusiveMaximum ? "" : "or equal to ",
                          json::serialize(json::Value(*schema.maximum))));
  }

  void items(const Schema& schema, const json::Array& all, const FieldPath& at) {
    const auto size = static_cast<std::int64_t>(all.size());
    if (schema.minItems && size < *schema.minItems)
      invalid(std::to_string(size), at, fmt::format("should have at least {} items", *schema.minItems));
    if (schema.maxItems && size > *schema.maxItems)
      add("FieldValueTooMany", fmt::format("Too many: {}: must have at most {}", size, count(*schema.maxItems, "item")),
          at.text());
  }

  void allowed(const Schema& schema, const json::Value& v, const FieldPath& at) {
    if (schema.allowed.empty() || (v.is_null() && schema.nullable)) return;
    std::string supported;
    for (const auto& one : schema.allowed) {
      if (json::equal(one, v)) return;
      const std::string shown = one.is_string() ? std::string(one.get_string()) : json::serialize(one);
      supported += (supported.empty() ? "" : ", ") + quoted(shown);
    }
    add("FieldValueNotSupported",
        fmt::format("Unsupported value: {}: supported values: {}", json::serialize(v), supported), at.text());
  }

  void members(const Schema& schema, const json::Object& all, const FieldPath& at) {
    const auto size = static_cast<std::int64_t>(all.size());
    if (schema.minProperties && size < *schema.minProperties)
      invalid(std::to_string(size), at, fmt::format("should have at least {} properties", *schema.minProperties));
    if (schema.maxProperties && size > *schema.maxProperties)
      add("FieldValueTooMany", fmt::format("Too many: {}: must have at most {} items", size, *schema.maxProperties),
          at.text());
    for (const auto& name : schema.required) require(all, name, at);
    if (schema.embeddedResource)
      for (std::string_view name : {"apiVersion", "kind"}) require(all, name, at);
  }

  void require(const json::Object& all, std::string_view name, const FieldPath& at) {
    if (!all.contains(name)) add("FieldValueRequired", "Required value", at.member(name).text());
  }

  std::vector<StatusCause>& causes_;
};

bool stopsRules(const StatusCause& cause) {
  static constexpr std::string_view kBlocking[] = {"FieldValueRequired", "FieldValueTypeInvalid",
                                                   "FieldValueNotSupported", "FieldValueTooLong", "FieldValueTooMany"};
  return std::find(std::begin(kBlocking), std::end(kBlocking), cause.reason) != std::end(kBlocking);
}

void walkLists(const Schema& schema, const json::Value& v, const json::Value* old, const FieldPath& at,
               std::vector<StatusCause>& causes) {
  if (unchanged(v, old)) return;
  if (const json::Array* items = v.if_array(); items && schema.list != Schema::List::atomic) {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < items->size(); ++i) {
      const json::Value key = schema.list == Schema::List::map ? listKey(schema, (*items)[i]) : (*items)[i];
      if (!seen.insert(json::serializeSorted(key)).second)
        causes.push_back({"FieldValueDuplicate", "Duplicate value: " + json::serializeSorted(key), at.item(i).text()});
    }
  }
  eachChild(schema, v, old, at,
            [&](const Schema& s, const json::Value& child, const json::Value* before, const FieldPath& path) {
              walkLists(s, child, before, path, causes);
            });
}

void walkRules(const Schema& schema, const json::Value& v, const json::Value* old, const FieldPath& at,
               std::vector<StatusCause>& causes) {
  if (!schema.rulesBelow || unchanged(v, old)) return;
  for (const auto& rule : schema.rules) {
    if (holds(rule.rule, v, old)) continue;
    const std::string shown = v.is_object() || v.is_array() ? "" : json::serialize(v) + ": ";
    const std::string field = at.text();
    causes.push_back({"FieldValueInvalid", "Invalid value: " + shown + rule.message, field.empty() ? "<nil>" : field});
  }
  eachChild(schema, v, old, at,
            [&](const Schema& s, const json::Value& child, const json::Value* before, const FieldPath& path) {
              walkRules(s, child, before, path, causes);
            });
}

}  // namespace

std::vector<StatusCause> validateObject(const Schema& schema, const json::Value& object, const json::Value* old) {
  std::vector<StatusCause> causes;
  Validation(causes).node(schema, object, old, FieldPath());
  validateLists(schema, object, old, causes);
  validateRules(schema, object, old, causes);
  return causes;
}

void validateLists(const Schema& schema, const json::Value& object, const json::Value* old,
                   std::vector<StatusCause>& causes) {
  walkLists(schema, object, old, FieldPath(), causes);
}

void validateRules(const Schema& schema, const json::Value& object, const json::Value* old,
                   std::vector<StatusCause>& causes) {
  if (!schema.rulesBelow) return;
  if (std::none_of(causes.begin(), causes.end(), stopsRules))
    return walkRules(schema, object, old, FieldPath(), causes);
  causes.push_back(
      {"FieldValueInvalid",
       "Invalid value: null: some validation rules were not checked because the object was invalid; correct "
       "the existing errors to complete validation",
       "<nil>"});
}

}  // namespace ingot::apiserver
