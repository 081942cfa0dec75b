#include "kube/schema/correlate.hpp"

namespace ingot::kube {

const json::Value* oldMember(const json::Value* old, std::string_view name) {
  return old ? json::find(*old, {name}) : nullptr;
}

const json::Value* oldItem(const Schema& list, const json::Value* old, const json::Value& item) {
  if (!old || list.list != Schema::List::map || !old->is_array()) return nullptr;
  const json::Value key = listKey(list, item);
  for (const auto& candidate : old->get_array())
    if (json::equal(listKey(list, candidate), key)) return &candidate;
  return nullptr;
}

bool unchanged(const json::Value& now, const json::Value* old) { return old && json::equal(now, *old); }

json::Value listKey(const Schema& list, const json::Value& item) {
  json::Object key;
  for (const auto& name : list.listKeys) {
    if (const json::Value* value = json::find(item, {name})) {
      key[name] = *value;
    } else if (const Schema* property = list.items ? list.items->property(name) : nullptr) {
      if (property->defaultValue) key[name] = *property->defaultValue;
    }
  }
  return key;
}

void eachChild(const Schema& schema, const json::Value& value, const json::Value* old, const FieldPath& at,
               const ChildVisit& visit) {
  if (const json::Object* members = value.if_object()) {
    for (const auto& [name, child] : *members) {
      if (const Schema* property = schema.property(name))
        visit(*property, child, oldMember(old, name), at.member(name));
      else if (schema.additional)
        visit(*schema.additional, child, oldMember(old, name), at.key(name));
    }
  } else if (const json::Array* items = value.if_array(); items && schema.items) {
    for (std::size_t i = 0; i < items->size(); ++i)
      visit(*schema.items, (*items)[i], oldItem(schema, old, (*items)[i]), at.item(i));
  }
}

}  // namespace ingot::kube
