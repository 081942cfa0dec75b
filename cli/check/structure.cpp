#include "cli/check/structure.hpp"

#include "cli/check/scalars.hpp"
#include "cli/command/nearest.hpp"

#include <set>

namespace ingot::cli {
namespace {

const json::Object* objectOf(const json::Object& schema, std::string_view keyword) {
  const json::Value* v = schema.if_contains(keyword);
  return v ? v->if_object() : nullptr;
}

bool keepsUnknown(const json::Object& schema) {
  const json::Value* keeps = schema.if_contains("x-kubernetes-preserve-unknown-fields");
  return keeps && keeps->is_bool() && keeps->get_bool();
}

// nullptr: the schema does not know it.
const json::Object* memberSchema(const json::Object& schema, std::string_view name) {
  if (const json::Object* properties = objectOf(schema, "properties"))
    if (const json::Object* found = objectOf(*properties, name)) return found;
  return objectOf(schema, "additionalProperties");
}

std::string below(const std::string& at, std::string_view name) {
  return at.empty() ? std::string(name) : fmt::format("{}.{}", at, name);
}

// Fields that a manifest's writer decides by this schema.
bool isJudged(const std::string& field) {
  return field != "apiVersion" && field != "kind" && field != "metadata" && field != "status";
}

class Judgement {
 public:
  void node(const json::Object& schema, const json::Value& value, const std::string& at) {
    if (auto problem = typeProblem(schema, value); !problem.empty()) return add(at, std::move(problem));
    if (auto problem = enumProblem(schema, value); !problem.empty()) {
      add(at, std::move(problem));
    } else {
      std::vector<std::string> problems;
      scalarProblems(schema, value, problems);
      for (auto& one : problems) add(at, std::move(one));
    }
    if (const json::Array* items = value.if_array()) list(schema, *items, at);
    if (const json::Object* members = value.if_object()) object(schema, *members, at);
  }

  std::vector<Complaint> all;

 private:
  void add(std::string field, std::string problem) { all.push_back({std::move(field), std::move(problem)}); }

  void list(const json::Object& schema, const json::Array& items, const std::string& at) {
    counted(schema, items.size(), "Items", "items", at);
    repeated(schema, items, at);
    const json::Object* each = objectOf(schema, "items");
    if (!each) return;
    for (std::size_t i = 0; i < items.size(); ++i) node(*each, items[i], fmt::format("{}[{}]", at, i));
  }

  void object(const json::Object& schema, const json::Object& members, const std::string& at) {
    counted(schema, members.size(), "Properties", "members", at);
    missing(schema, members, at);
    for (const auto& [name, value] : members) {
      const std::string field = below(at, name);
      if (!isJudged(field)) continue;
      if (const json::Object* known = memberSchema(schema, name))
        node(*known, value, field);
      else if (!keepsUnknown(schema))
        unknown(schema, name, field);
    }
  }

  void unknown(const json::Object& schema, std::string_view name, const std::string& field) {
    std::vector<std::string> known;
    if (const json::Object* properties = objectOf(schema, "properties"))
      for (const auto& property : *properties) known.emplace_back(property.key());
    const std::string near = nearest(name, known);
    add(field, near.empty() ? "unknown field" : "unknown field; did you mean " + near + "?");
  }

  // What has a default is never missing.
  void missing(const json::Object& schema, const json::Object& members, const std::string& at) {
    const json::Value* required = schema.if_contains("required");
    if (!required) return;
    for (const json::Value& name : required->as_array()) {
      const json::Object* known = memberSchema(schema, name.as_string());
      if (members.contains(name.as_string()) || (known && known->contains("default"))) continue;
      add(below(at, name.as_string()), "is missing");
    }
  }

  void counted(const json::Object& schema, std::size_t size, std::string_view keyword, std::string_view of,
               const std::string& at) {
    const auto limit = [&](std::string_view word) { return schema.if_contains(fmt::format("{}{}", word, keyword)); };
    if (const json::Value* least = limit("min"); least && size < least->to_number<std::size_t>())
      add(at, fmt::format("must have at least {} {}, has {}", json::serialize(*least), of, size));
    if (const json::Value* most = limit("max"); most && size > most->to_number<std::size_t>())
      add(at, fmt::format("must have at most {} {}, has {}", json::serialize(*most), of, size));
  }

  // Lists that are sets, or maps by the members that are their keys.
  void repeated(const json::Object& schema, const json::Array& items, const std::string& at) {
    const json::Value* type = schema.if_contains("x-kubernetes-list-type");
    if (!type || (*type != "set" && *type != "map")) return;
    std::set<std::string> seen;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (const auto key = keyOf(schema, items[i]); !seen.insert(key).second)
        add(fmt::format("{}[{}]", at, i), key + ": an item before it is the same; leave one of them out");
  }

  static std::string keyOf(const json::Object& schema, const json::Value& item) {
    const json::Value* keys = schema.if_contains("x-kubernetes-list-map-keys");
    if (!keys || !item.is_object()) return json::serializeSorted(item);
    json::Object key;
    for (const json::Value& name : keys->as_array())
      if (const json::Value* value = item.get_object().if_contains(name.as_string())) key[name.as_string()] = *value;
    return json::serializeSorted(key);
  }
};

bool sameIgnoringCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

bool isIndex(std::string_view part) {
  return !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
}

// One step of a field's path down a schema: its spelling in a document, and the schema below it (nullptr: not known).
struct Step {
  std::string text;
  const json::Object* schema;
};

Step stepInto(const json::Object& schema, std::string_view part) {
  if (const json::Object* items = objectOf(schema, "items"); items && isIndex(part))
    return {fmt::format("[{}]", part), items};
  const auto bracket = std::min(part.find('['), part.size());
  if (const json::Object* properties = objectOf(schema, "properties"))
    for (const auto& [name, value] : *properties)
      if (sameIgnoringCase(name, part.substr(0, bracket))) {
        const json::Object* found = value.if_object();
        if (found && bracket < part.size()) found = objectOf(*found, "items");
        return {fmt::format(".{}{}", std::string_view(name), part.substr(bracket)), found};
      }
  return {fmt::format(".{}", part), nullptr};
}

}  // namespace

std::vector<Complaint> structureComplaints(const json::Value& schema, const json::Value& object) {
  Judgement judgement;
  judgement.node(schema.as_object(), object, "");
  return std::move(judgement.all);
}

std::vector<Complaint> unknownMembers(const json::Value& schema, const json::Value& object) {
  auto all = structureComplaints(schema, object);
  std::erase_if(all, [](const Complaint& one) { return !one.problem.starts_with("unknown field"); });
  return all;
}

std::string fieldAsWritten(const json::Value& schema, std::string_view field) {
  if (field == "name") return "metadata.name";
  std::string out;
  const json::Object* here = schema.if_object();
  while (here && !field.empty()) {
    const auto dot = std::min(field.find('.'), field.size());
    const Step step = stepInto(*here, field.substr(0, dot));
    out += step.text;
    here = step.schema;
    field.remove_prefix(std::min(dot + 1, field.size()));
  }
  if (!field.empty()) out += fmt::format(".{}", field);
  return out.starts_with('.') ? out.substr(1) : out;
}

}  // namespace ingot::cli
