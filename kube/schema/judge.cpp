#include "kube/schema/judge.hpp"

#include "kube/schema/cel_rules.hpp"
#include "kube/schema/correlate.hpp"
#include "kube/schema/formats.hpp"

#include <map>

namespace ingot::kube {

namespace {

using What = Breach::What;

// Where the schema is a string with a format, upstream checks the format of a string or a list and not its type.
bool isLetThrough(const Schema& schema, const json::Value& v) {
  return schema.type == Schema::Type::string && !schema.format.empty() && (v.is_string() || v.is_array());
}

bool hasType(const Schema& schema, const json::Value& v) {
  if (v.is_null()) return schema.nullable || (schema.type == Schema::Type::any && !schema.intOrString);
  if (schema.intOrString) return v.is_string() || isInteger(v);
  if (isLetThrough(schema, v)) return true;
  switch (schema.type) {
    case Schema::Type::any: return true;
    case Schema::Type::object: return v.is_object();
    case Schema::Type::array: return v.is_array();
    case Schema::Type::string: return v.is_string();
    case Schema::Type::integer: return isInteger(v);
    case Schema::Type::number: return v.is_number();
    case Schema::Type::boolean: return v.is_bool();
  }
  return true;
}

bool isAllowed(const Schema& schema, const json::Value& v) {
  return schema.allowed.empty() ||
         std::ranges::any_of(schema.allowed, [&](const json::Value& one) { return json::equal(one, v); });
}

// Values one by one: what each may be by itself.
class Values {
 public:
  explicit Values(Breaches& into) : into_(into) {}

  void node(const Schema& schema, const json::Value& v, const json::Value* old, const FieldPath& at) {
    if (unchanged(v, old)) return;
    tell(!hasType(schema, v), What::wrongType, schema, v, at);
    if (v.is_string()) text(schema, v, at);
    if (v.is_number()) number(schema, v, at);
    if (v.is_array() && !schema.intOrString) items(schema, v, at);
    tell(!isAllowed(schema, v), What::notAllowed, schema, v, at);
    if (v.is_object()) members(schema, v, at);
    eachChild(schema, v, old, at,
              [this](const Schema& s, const json::Value& child, const json::Value* before, const FieldPath& path) {
                node(s, child, before, path);
              });
  }

 private:
  void tell(bool breached, What what, const Schema& schema, const json::Value& v, const FieldPath& at) {
    if (breached) into_.add(what, [&] { return Breach{what, at.dotted(), &schema, &v}; });
  }

  void text(const Schema& schema, const json::Value& v, const FieldPath& at) {
    const std::string_view text = v.get_string();
    const auto length = static_cast<std::int64_t>(runes(text));
    if (schema.maxLength && length > *schema.maxLength)
      tell(true, What::tooLong, schema, v, at);
    else if (schema.minLength && length < *schema.minLength)
      tell(true, What::tooShort, schema, v, at);
    else
      tell(schema.pattern && !schema.pattern->found(text), What::noMatch, schema, v, at);
    tell(schema.type == Schema::Type::string && !stringHasFormat(text, schema.format), What::wrongFormat, schema, v,
         at);
  }

  void number(const Schema& schema, const json::Value& v, const FieldPath& at) {
    const bool counts = schema.type == Schema::Type::integer && hasType(schema, v);
    tell(counts && !fitsInteger(v, schema.format), What::outOfFormat, schema, v, at);
    const double n = v.to_number<double>();
    tell(schema.minimum && (schema.exclusiveMinimum ? n <= *schema.minimum : n < *schema.minimum), What::tooSmall,
         schema, v, at);
    tell(schema.maximum && (schema.exclusiveMaximum ? n >= *schema.maximum : n > *schema.maximum), What::tooLarge,
         schema, v, at);
  }

  void items(const Schema& schema, const json::Value& v, const FieldPath& at) {
    const auto size = static_cast<std::int64_t>(v.get_array().size());
    tell(schema.minItems && size < *schema.minItems, What::tooFewItems, schema, v, at);
    tell(schema.maxItems && size > *schema.maxItems, What::tooManyItems, schema, v, at);
  }

  void members(const Schema& schema, const json::Value& v, const FieldPath& at) {
    const auto size = static_cast<std::int64_t>(v.get_object().size());
    tell(schema.minProperties && size < *schema.minProperties, What::tooFewMembers, schema, v, at);
    tell(schema.maxProperties && size > *schema.maxProperties, What::tooManyMembers, schema, v, at);
    for (const auto& name : schema.required) require(schema, v, name, at);
    if (schema.embeddedResource)
      for (const std::string_view name : {"apiVersion", "kind"}) require(schema, v, name, at);
  }

  void require(const Schema& schema, const json::Value& v, std::string_view name, const FieldPath& at) {
    tell(!v.get_object().contains(name), What::missing, schema, v, at.member(name));
  }

  Breaches& into_;
};

// Equal of the same kind: in a set 1 and 1.0 differ.
std::string identity(const json::Value& v) { return (v.is_double() ? "~" : "") + json::serializeSorted(v); }

void judgeItems(const Schema& schema, const json::Array& items, const FieldPath& at, Breaches& into) {
  const bool map = schema.list == Schema::List::map;
  const auto keyless = [](const json::Value& item) { return !item.is_object() && !item.is_null(); };
  const auto bad = map ? std::ranges::find_if(items, keyless) : items.end();
  if (bad != items.end()) {
    const auto index = static_cast<std::size_t>(bad - items.begin());
    return into.add(What::noKeys, [&] { return Breach{What::noKeys, at.item(index).text(), &schema, &*bad}; });
  }
  std::map<std::string, int> seen;
  for (std::size_t i = 0; i < items.size(); ++i) {
    json::Value key = map ? listKey(schema, items[i]) : items[i];
    if (++seen[identity(key)] == 2)
      into.add(What::repeated,
               [&] { return Breach{What::repeated, at.item(i).text(), &schema, &items[i], std::move(key)}; });
  }
}

void walkLists(const Schema& schema, const json::Value& v, const json::Value* old, const FieldPath& at,
               Breaches& into) {
  if (unchanged(v, old)) return;
  if (const json::Array* items = v.if_array(); items && schema.list != Schema::List::atomic)
    judgeItems(schema, *items, at, into);
  eachChild(schema, v, old, at,
            [&](const Schema& s, const json::Value& child, const json::Value* before, const FieldPath& path) {
              walkLists(s, child, before, path, into);
            });
}

void walkRules(const Schema& schema, const json::Value& v, const json::Value* old, const FieldPath& at,
               Breaches& into) {
  if (!schema.rulesBelow || unchanged(v, old)) return;
  for (const auto& rule : schema.rules)
    if (!holds(rule.rule, v, old))
      into.add(What::rule, [&] {
        return Breach{.what = What::rule, .field = at.text(), .schema = &schema, .value = &v, .broken = &rule};
      });
  eachChild(schema, v, old, at,
            [&](const Schema& s, const json::Value& child, const json::Value* before, const FieldPath& path) {
              walkRules(s, child, before, path, into);
            });
}

}  // namespace

void judgeValues(const Schema& schema, const json::Value& object, const json::Value* old, Breaches& into) {
  Values(into).node(schema, object, old, FieldPath());
}

void judgeLists(const Schema& schema, const json::Value& object, const json::Value* old, Breaches& into) {
  walkLists(schema, object, old, FieldPath(), into);
}

void judgeRules(const Schema& schema, const json::Value& object, const json::Value* old, Breaches& into) {
  walkRules(schema, object, old, FieldPath(), into);
}

bool hidesRules(What what) {
  switch (what) {
    case What::wrongType:
    case What::wrongFormat:
    case What::tooLong:
    case What::tooManyItems:
    case What::tooManyMembers:
    case What::notAllowed:
    case What::missing: return true;
    case What::outOfFormat:
    case What::tooShort:
    case What::noMatch:
    case What::tooSmall:
    case What::tooLarge:
    case What::tooFewItems:
    case What::tooFewMembers:
    case What::repeated:
    case What::noKeys:
    case What::rule: return false;
  }
  return false;
}

Breaches judge(const Schema& schema, const json::Value& object) {
  Breaches all;
  judgeValues(schema, object, nullptr, all);
  judgeLists(schema, object, nullptr, all);
  if (!all.hideRules()) judgeRules(schema, object, nullptr, all);
  return all;
}

}  // namespace ingot::kube
