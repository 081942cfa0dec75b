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
  // `prefix`: where the judged value is in the object; messages leave it out, fields have it.
  explicit Validation(std::vector<StatusCause>& causes, std::string prefix = {})
      : causes_(causes), prefix_(std::move(prefix)) {}

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
    if (!prefix_.empty()) field = field.empty() || field[0] == '[' ? prefix_ + field : prefix_ + "." + field;
    causes_.push_back({std::string(reason), std::move(message), field.empty() ? "<nil>" : std::move(field)});
  }

  void addNowhere(std::string problem) {
    causes_.push_back({"FieldValueInvalid", "Invalid value: \"\": " + std::move(problem), "<nil>"});
  }

  void invalid(std::string_view value, const FieldPath& at, const std::string& rest) {
    const std::string field = at.dotted();
    add("FieldValueInvalid", fmt::format("Invalid value: {}: {} in body {}", value, field, rest), field);
  }

  void wrongType(const Schema& schema, const json::Value& v, const FieldPath& at) {
    const std::string field = at.dotted();
    const std::string name = quoted(typeNameOf(v));
    add("FieldValueTypeInvalid",
        fmt::format("Invalid value: {}: {} in body must be of type {}: {}", name, field, typeText(schema), name),
        field);
    if (!schema.anyOf) return;
    // Upstream goes on to tell why its first alternative did not fit.
    addNowhere(fmt::format("\"{}\" must validate at least one schema (anyOf)", field));
    add("FieldValueTypeInvalid",
        fmt::format("Invalid value: {}: {} in body must be of type integer: {}", name, field, name), field);
    if (v.is_number()) addNowhere("Checked value must be of type integer (default format) in " + field);
  }

  void text(const Schema& schema, std::string_view v, const FieldPath& at) {
    const auto length = static_cast<std::int64_t>(runes(v));
    if (schema.maxLength && length > *schema.maxLength)
      add("FieldValueTooLong", "Too long: may not be more than " + count(*schema.maxLength, "byte"), at.dotted());
    if (schema.minLength && length < *schema.minLength)
      invalid(quoted(v), at, fmt::format("should be at least {} chars long", *schema.minLength));
    if (schema.pattern && !schema.pattern->found(v))
      invalid(quoted(v), at, "should match '" + schema.pattern->text() + "'");
    if (schema.type == Schema::Type::string && !stringHasFormat(v, schema.format)) wrongFormat(schema, v, at);
  }

  void wrongFormat(const Schema& schema, std::string_view v, const FieldPath& at) {
    add("FieldValueTypeInvalid",
        fmt::format("Invalid value: {}: {} in body must be of type {}: {}", quoted(v), at.dotted(), schema.format,
                    quoted(v)),
        at.dotted());
  }

  void number(const Schema& schema, const json::Value& v, const FieldPath& at) {
    if (!numberHasFormat(v, schema.format))
      addNowhere(fmt::format("Checked value must be of type {} with format {} in {}", typeText(schema), schema.format,
                             at.dotted()));
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
          at.dotted());
  }

  void allowed(const Schema& schema, const json::Value& v, const FieldPath& at) {
    if (schema.allowed.empty()) return;
    std::string supported;
    for (const auto& one : schema.allowed) {
      if (json::equal(one, v)) return;
      const std::string shown = one.is_string() ? std::string(one.get_string()) : json::serialize(one);
      supported += (supported.empty() ? "" : ", ") + quoted(shown);
    }
    add("FieldValueNotSupported",
        fmt::format("Unsupported value: {}: supported values: {}", json::serialize(v), supported), at.dotted());
  }

  void members(const Schema& schema, const json::Object& all, const FieldPath& at) {
    const auto size = static_cast<std::int64_t>(all.size());
    if (schema.minProperties && size < *schema.minProperties)
      invalid(std::to_string(size), at, fmt::format("should have at least {} properties", *schema.minProperties));
    if (schema.maxProperties && size > *schema.maxProperties)
      add("FieldValueTooMany", fmt::format("Too many: {}: must have at most {} items", size, *schema.maxProperties),
          at.dotted());
    for (const auto& name : schema.required) require(all, name, at);
    if (schema.embeddedResource)
      for (std::string_view name : {"apiVersion", "kind"}) require(all, name, at);
  }

  void require(const json::Object& all, std::string_view name, const FieldPath& at) {
    if (!all.contains(name)) add("FieldValueRequired", "Required value", at.member(name).dotted());
  }

  std::vector<StatusCause>& causes_;
  std::string prefix_;
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

std::vector<StatusCause> validateObject(const Schema& schema, const json::Value& object, const json::Value* old,
                                        std::string_view subresource) {
  std::vector<StatusCause> causes;
  if (subresource != "status") {
    Validation(causes).node(schema, object, old, FieldPath());
  } else if (const Schema* status = schema.property("status")) {
    if (const json::Value* value = json::find(object, {"status"}))
      Validation(causes, "status").node(*status, *value, oldMember(old, "status"), FieldPath());
  }
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
