#include "apiserver/schema/validate.hpp"

#include "base/url_text.hpp"
#include "kube/schema/correlate.hpp"
#include "kube/schema/formats.hpp"
#include "kube/schema/judge.hpp"

#include <array>
#include <charconv>

namespace ingot::apiserver {

namespace {

using kube::Breach;
using kube::Breaches;
using kube::Schema;

// Upstream's names of JSON types, as type errors quote them: of a field with a format, those of Go's formats. An
// integer that is larger than an int64 has become a fraction before it is looked at.
std::string_view typeNameOf(const json::Value& v, bool byFormat) {
  switch (v.kind()) {
    case boost::json::kind::null: return "null";
    case boost::json::kind::bool_: return byFormat ? "" : "boolean";
    case boost::json::kind::int64: return byFormat ? "int64" : "integer";
    case boost::json::kind::uint64:
    case boost::json::kind::double_: return byFormat ? "float64" : "number";
    case boost::json::kind::string: return "string";
    case boost::json::kind::array: return "array";
    case boost::json::kind::object: return byFormat ? "" : "object";
  }
  return "";
}

// Go's %v: from a million on with an exponent.
std::string shownFraction(double v) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.begin(), buffer.end(), v, std::chars_format::scientific).ptr;
  std::string text(buffer.begin(), end);
  int exponent = 0;
  const auto e = text.find('e') + 1;
  std::from_chars(&text[e + (text[e] == '+' ? 1 : 0)], text.data() + text.size(), exponent);
  return exponent < -4 || exponent > 5 ? text : json::serialize(json::Value(v));
}

// Texts and numbers as Go prints them, everything else as JSON.
std::string shown(const json::Value& v) {
  if (v.is_double()) return shownFraction(v.get_double());
  return v.is_string() ? base::url_text::quoted(v.get_string()) : json::serialize(v);
}

// Cuts a long value, so that it is not repeated in full for each of its problems. Upstream shows it whole.
std::string cut(std::string text) {
  constexpr std::size_t mostBytes = 4096;
  if (text.size() <= mostBytes) return text;
  std::size_t end = mostBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  text.resize(end);
  return text + "…";
}

std::string count(std::int64_t n, std::string_view unit) { return fmt::format("{} {}{}", n, unit, n == 1 ? "" : "s"); }

std::size_t sizeOf(const json::Value& v) { return v.is_array() ? v.get_array().size() : v.get_object().size(); }

// Scalars are shown in front of a rule's message, objects and lists are not.
std::string shownByRule(const json::Value& v) { return v.is_object() || v.is_array() ? "" : shown(v) + ": "; }

class Words {
 public:
  // `prefix`: where the judged value is in the object; messages leave it out, fields have it.
  explicit Words(std::vector<StatusCause>& causes, std::string prefix = {})
      : causes_(causes), prefix_(std::move(prefix)) {}

  void say(const Breaches& all) {
    for (const Breach& breach : all) say(breach);
    if (all.more() > 0)
      causes_.push_back({"FieldValueInvalid", fmt::format("and {} more problems, which are not shown", all.more()),
                         prefix_.empty() ? "<nil>" : prefix_});
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
      case Breach::What::wrongFormat: return notOfType(b, shown(*b.value), s.format);
      case Breach::What::outOfFormat: return outOfFormat(b);
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
        return add(b, "FieldValueDuplicate",
                   "Duplicate value: " + (b.key.is_string() ? shown(b.key) : json::serializeSorted(b.key)));
      case Breach::What::noKeys:
        return add(b, "FieldValueInvalid",
                   fmt::format("Invalid value: {}: must be an object for an array of list-type map", shown(*b.value)));
      case Breach::What::rule:
        return add(b, "FieldValueInvalid", "Invalid value: " + shownByRule(*b.value) + b.broken->message);
    }
  }

  void add(const Breach& b, std::string_view reason, std::string message) {
    std::string field = b.field;
    if (!prefix_.empty()) field = field.empty() || field[0] == '[' ? prefix_ + field : prefix_ + "." + field;
    causes_.push_back({std::string(reason), cut(std::move(message)), field.empty() ? "<nil>" : cut(std::move(field))});
  }

  void addNowhere(std::string_view value, std::string_view problem) {
    causes_.push_back(invalidValue(prefix_.empty() ? "<nil>" : prefix_, value, cut(std::string(problem))));
  }

  void invalid(const Breach& b, std::string_view value, const std::string& rest) {
    add(b, "FieldValueInvalid", fmt::format("Invalid value: {}: {} in body {}", value, b.field, rest));
  }
  void invalid(const Breach& b, const std::string& rest) { invalid(b, shown(*b.value), rest); }

  void notOfType(const Breach& b, std::string_view value, std::string_view type) {
    add(b, "FieldValueTypeInvalid",
        fmt::format("Invalid value: {}: {} in body must be of type {}: {}", value, b.field, type, value));
  }

  void wrongType(const Breach& b) {
    const json::Value& v = *b.value;
    const bool byFormat = !b.schema->format.empty() && !v.is_string() && !v.is_array() && !v.is_null();
    const std::string name = jsonText(typeNameOf(v, byFormat));
    notOfType(b, name, byFormat ? b.schema->format : typeText(*b.schema));
    if (b.schema->anyOf) return noneOf(b, name);
    const bool counts = b.schema->type == Schema::Type::integer && v.is_number();
    if (counts && !kube::fitsInteger(v, b.schema->format)) outOfFormat(b);
  }

  // Upstream goes on to tell why its first alternative, the integer, did not fit.
  void noneOf(const Breach& b, const std::string& name) {
    addNowhere("\"\"", fmt::format("\"{}\" must validate at least one schema (anyOf)", b.field));
    notOfType(b, name, "integer");
    if (b.value->is_number()) outOfFormat(b);
  }

  void outOfFormat(const Breach& b) {
    const std::string& format = b.schema->format;
    addNowhere("\"\"", fmt::format("Checked value must be of type integer {} in {}",
                                   format.empty() ? "(default format)" : "with format " + format, b.field));
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
        fmt::format("Unsupported value: {}: supported values: {}", shown(*b.value), supported));
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
  const bool asksRules = !values.hideRules();
  if (asksRules) judgeRules(schema, object, old, rest);
  Words(causes).say(rest);
  if (!asksRules && schema.rulesBelow) Words(causes).rulesUnchecked();
  return causes;
}

}  // namespace ingot::apiserver
