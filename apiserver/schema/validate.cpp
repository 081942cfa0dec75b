#include "apiserver/schema/validate.hpp"

#include "kube/schema/correlate.hpp"
#include "kube/schema/judge.hpp"

namespace ingot::apiserver {

namespace {

using kube::Breach;
using kube::Breaches;
using kube::Schema;

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

std::string count(std::int64_t n, std::string_view unit) { return fmt::format("{} {}{}", n, unit, n == 1 ? "" : "s"); }

std::size_t sizeOf(const json::Value& v) { return v.is_array() ? v.get_array().size() : v.get_object().size(); }

// Scalars are shown before what a rule says of them.
std::string shownByRule(const json::Value& v) { return v.is_object() || v.is_array() ? "" : json::serialize(v) + ": "; }

class Words {
 public:
  // `prefix`: where the judged value is in the object; messages leave it out, fields have it.
  explicit Words(std::vector<StatusCause>& causes, std::string prefix = {})
      : causes_(causes), prefix_(std::move(prefix)) {}

  void say(const Breaches& all) {
    for (const Breach& breach : all) say(breach);
  }

  void rulesUnchecked() {
    addNowhere("null",
               "some validation rules were not checked because the object was invalid; correct the existing errors to "
               "complete validation");
  }

 private:
  void say(const Breach& b) {
    const Schema& s = *b.schema;
    switch (b.what) {
      case Breach::What::wrongType: return wrongType(b);
      case Breach::What::wrongFormat: return notOfType(b, json::serialize(*b.value), s.format);
      case Breach::What::outOfFormat:
        return addNowhere("\"\"", fmt::format("Checked value must be of type {} with format {} in {}", typeText(s),
                                              s.format, b.field));
      case Breach::What::tooShort: return invalid(b, fmt::format("should be at least {} chars long", *s.minLength));
      case Breach::What::tooLong:
        return add(b, "FieldValueTooLong", "Too long: may not be more than " + count(*s.maxLength, "byte"));
      case Breach::What::noMatch: return invalid(b, fmt::format("should match '{}'", s.pattern->text()));
      case Breach::What::tooSmall: return bound(b, "greater", s.exclusiveMinimum, *s.minimum);
      case Breach::What::tooLarge: return bound(b, "less", s.exclusiveMaximum, *s.maximum);
      case Breach::What::tooFewItems: return few(b, *s.minItems, "items");
      case Breach::What::tooManyItems: return many(b, count(*s.maxItems, "item"));
      case Breach::What::tooFewMembers: return few(b, *s.minProperties, "properties");
      case Breach::What::tooManyMembers: return many(b, fmt::format("{} items", *s.maxProperties));
      case Breach::What::notAllowed: return notAllowed(b);
      case Breach::What::missing: return add(b, "FieldValueRequired", "Required value");
      case Breach::What::repeated:
        return add(b, "FieldValueDuplicate", "Duplicate value: " + json::serializeSorted(b.key));
      case Breach::What::rule:
        return add(b, "FieldValueInvalid", "Invalid value: " + shownByRule(*b.value) + b.broken->message);
    }
  }

  void add(const Breach& b, std::string_view reason, std::string message) {
    std::string field = b.field;
    if (!prefix_.empty()) field = field.empty() || field[0] == '[' ? prefix_ + field : prefix_ + "." + field;
    causes_.push_back({std::string(reason), std::move(message), field.empty() ? "<nil>" : std::move(field)});
  }

  void addNowhere(std::string_view value, std::string_view problem) {
    causes_.push_back(invalidValue("<nil>", value, problem));
  }

  void invalid(const Breach& b, std::string_view value, const std::string& rest) {
    add(b, "FieldValueInvalid", fmt::format("Invalid value: {}: {} in body {}", value, b.field, rest));
  }
  void invalid(const Breach& b, const std::string& rest) { invalid(b, json::serialize(*b.value), rest); }

  void notOfType(const Breach& b, std::string_view value, std::string_view type) {
    add(b, "FieldValueTypeInvalid",
        fmt::format("Invalid value: {}: {} in body must be of type {}: {}", value, b.field, type, value));
  }

  void wrongType(const Breach& b) {
    const std::string name = jsonText(typeNameOf(*b.value));
    notOfType(b, name, typeText(*b.schema));
    if (!b.schema->anyOf) return;
    // Upstream goes on to tell why its first alternative did not fit.
    addNowhere("\"\"", fmt::format("\"{}\" must validate at least one schema (anyOf)", b.field));
    notOfType(b, name, "integer");
    if (b.value->is_number())
      addNowhere("\"\"", "Checked value must be of type integer (default format) in " + b.field);
  }

  void bound(const Breach& b, std::string_view side, bool exclusive, double limit) {
    invalid(b, fmt::format("should be {} than {}{}", side, exclusive ? "" : "or equal to ",
                           json::serialize(json::Value(limit))));
  }

  void few(const Breach& b, std::int64_t least, std::string_view of) {
    invalid(b, std::to_string(sizeOf(*b.value)), fmt::format("should have at least {} {}", least, of));
  }

  void many(const Breach& b, std::string_view most) {
    add(b, "FieldValueTooMany", fmt::format("Too many: {}: must have at most {}", sizeOf(*b.value), most));
  }

  void notAllowed(const Breach& b) {
    std::string supported;
    for (const auto& one : b.schema->allowed) {
      const std::string shown = one.is_string() ? std::string(one.get_string()) : json::serialize(one);
      supported += (supported.empty() ? "" : ", ") + jsonText(shown);
    }
    add(b, "FieldValueNotSupported",
        fmt::format("Unsupported value: {}: supported values: {}", json::serialize(*b.value), supported));
  }

  std::vector<StatusCause>& causes_;
  std::string prefix_;
};

}  // namespace

std::vector<StatusCause> validateObject(const Schema& schema, const json::Value& object, const json::Value* old,
                                        std::string_view subresource) {
  std::vector<StatusCause> causes;
  Breaches values, rest;
  if (subresource != "status") {
    judgeValues(schema, object, old, values);
    Words(causes).say(values);
  } else if (const Schema* status = schema.property("status")) {
    if (const json::Value* value = json::find(object, {"status"}))
      judgeValues(*status, *value, kube::oldMember(old, "status"), values);
    Words(causes, "status").say(values);
  }
  judgeLists(schema, object, old, rest);
  const bool asksRules = std::ranges::none_of(values, kube::hidesRules);
  if (asksRules) judgeRules(schema, object, old, rest);
  Words(causes).say(rest);
  if (!asksRules && schema.rulesBelow) Words(causes).rulesUnchecked();
  return causes;
}

}  // namespace ingot::apiserver
