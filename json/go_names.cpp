#include "json/go_names.hpp"

#include "base/text.hpp"

namespace ingot::json {
namespace {

std::string_view nameIn(const Object& properties, std::string_view member) {
  if (properties.contains(member)) return member;
  for (const auto& [name, schema] : properties)
    if (base::equalButForCase(name, member)) return name;
  return member;
}

const Object* objectIn(const Object& schema, std::string_view keyword) {
  const auto* found = schema.if_contains(keyword);
  return found ? found->if_object() : nullptr;
}

void foldMembers(Object& members, const Object& properties) {
  Object folded(members.storage());
  folded.reserve(members.size());
  for (auto& member : members) {  // of two spellings the later one counts
    const std::string_view name = nameIn(properties, member.key());
    auto& value = folded.insert_or_assign(name, std::move(member.value())).first->value();
    if (const Object* known = objectIn(properties, name)) foldNames(value, *known);
  }
  members = std::move(folded);
}

}  // namespace

void foldNames(Value& value, const Object& schema) {
  if (auto* items = value.if_array()) {
    const Object* each = objectIn(schema, "items");
    for (auto& item : *items)
      if (each) foldNames(item, *each);
    return;
  }
  auto* members = value.if_object();
  if (!members) return;
  if (const Object* properties = objectIn(schema, "properties")) return foldMembers(*members, *properties);
  const Object* each = objectIn(schema, "additionalProperties");
  for (auto& member : *members)
    if (each) foldNames(member.value(), *each);
}

}  // namespace ingot::json
