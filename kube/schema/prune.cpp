#include "kube/schema/prune.hpp"

#include "kube/schema/field_path.hpp"

namespace ingot::kube {

namespace {

bool isTypeMeta(std::string_view name) { return name == "apiVersion" || name == "kind" || name == "metadata"; }

class Pruning {
 public:
  explicit Pruning(std::vector<std::string>& unknown) : unknown_(unknown) {}

  void resource(const Schema& schema, json::Value& value, const FieldPath& at, bool keeps) {
    if (json::Object* members = value.if_object()) walk(schema, *members, at, keeps, true);
  }

 private:
  void node(const Schema& schema, json::Value& value, const FieldPath& at, bool keepsAbove) {
    const bool keeps = keepsAbove || schema.preserveUnknown;
    if (schema.embeddedResource) return resource(schema, value, at, keeps);
    if (json::Object* members = value.if_object())
      walk(schema, *members, at, keeps, false);
    else if (json::Array* items = value.if_array(); items && schema.items)
      for (std::size_t i = 0; i < items->size(); ++i) node(*schema.items, (*items)[i], at.item(i), false);
  }

  void walk(const Schema& schema, json::Object& members, const FieldPath& at, bool keeps, bool typeMeta) {
    for (auto it = members.begin(); it != members.end();) {
      const std::string_view name = it->key();
      const bool everywhere = typeMeta && isTypeMeta(name);
      const Schema* known = everywhere ? nullptr : schema.member(name);
      if (!everywhere && !known && !keeps && !schema.keepsUnknown()) {
        if (!unknown_.full()) unknown_.add(at.member(name).dotted());
        it = members.stable_erase(it);
        continue;
      }
      if (everywhere && name == "metadata") node(objectMetaSchema(), it->value(), at.member(name), false);
      if (known) node(*known, it->value(), schema.property(name) ? at.member(name) : at.key(name), false);
      ++it;
    }
  }

  FieldReport unknown_;
};

// Defaults of one declared property. True: the member is to go.
bool defaultMember(const Schema& property, json::Value& value) {
  if (value.is_null() && !property.nullable) {
    if (!property.defaultValue) return property.type != Schema::Type::any || property.intOrString;
    value = *property.defaultValue;
  }
  applyDefaults(property, value);
  return false;
}

void defaultObject(const Schema& schema, json::Object& members) {
  for (const auto& [name, property] : schema.properties) {
    const auto found = members.find(name);
    if (found != members.end()) {
      if (defaultMember(*property, found->value())) members.stable_erase(found);
    } else if (property->defaultValue) {
      applyDefaults(*property, members.emplace(name, *property->defaultValue).first->value());
    }
  }
  if (!schema.additional) return;
  for (auto it = members.begin(); it != members.end();) {
    const bool drop = !schema.property(it->key()) && defaultMember(*schema.additional, it->value());
    it = drop ? members.stable_erase(it) : it + 1;
  }
}

}  // namespace

void pruneObject(const Schema& schema, json::Value& object, std::vector<std::string>& unknown) {
  Pruning(unknown).resource(schema, object, FieldPath(), schema.preserveUnknown);
}

void dropEmpty(const Schema& schema, json::Value& object) {
  json::Object* members = object.if_object();
  if (!members) return;
  for (const auto& [name, property] : schema.properties) {
    const auto found = members->find(name);
    if (found == members->end()) continue;
    const json::Object* map = property->additional ? found->value().if_object() : nullptr;
    const json::Array* list = found->value().if_array();
    if ((map && map->empty()) || (list && list->empty()))
      members->stable_erase(found);
    else
      dropEmpty(*property, found->value());
  }
}

void applyDefaults(const Schema& schema, json::Value& object) {
  if (json::Object* members = object.if_object()) return defaultObject(schema, *members);
  json::Array* items = object.if_array();
  if (!items || !schema.items) return;
  for (auto& item : *items) {
    if (item.is_null() && !schema.items->nullable && schema.items->defaultValue) item = *schema.items->defaultValue;
    applyDefaults(*schema.items, item);
  }
}

}  // namespace ingot::kube
