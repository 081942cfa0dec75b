#include "kube/schema/correlate.hpp"

namespace ingot::kube {
namespace {

// What the items of a list were before. Those of a map list are the same when their keys are, items of other lists have
// no past. Asked in the order of the list: most items stand where they stood beside their neighbours.
class FormerItems {
 public:
  FormerItems(const Schema& list, const json::Value* old) : list_(list) {
    if (!old || list.list != Schema::List::map || !old->is_array()) return;
    items_ = &old->get_array();
    keys_.reserve(items_->size());
    for (const auto& item : *items_) keys_.push_back(listKey(list, item));
  }

  const json::Value* of(const json::Value& item) {
    if (keys_.empty()) return nullptr;
    const json::Value key = listKey(list_, item);
    for (std::size_t passed = 0; passed < keys_.size(); ++passed) {
      const std::size_t i = (next_ + passed) % keys_.size();
      if (!json::equal(keys_[i], key)) continue;
      next_ = i + 1;
      return &(*items_)[i];
    }
    return nullptr;
  }

 private:
  const Schema& list_;
  const json::Array* items_ = nullptr;
  std::vector<json::Value> keys_;
  std::size_t next_ = 0;
};

}  // namespace

const json::Value* oldMember(const json::Value* old, std::string_view name) {
  return old ? json::find(*old, {name}) : nullptr;
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
    FormerItems former(schema, old);
    for (std::size_t i = 0; i < items->size(); ++i)
      visit(*schema.items, (*items)[i], former.of((*items)[i]), at.item(i));
  }
}

}  // namespace ingot::kube
