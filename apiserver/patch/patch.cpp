#include "apiserver/patch/patch.hpp"

#include "apiserver/registry/errors.hpp"
#include "json/patch.hpp"

namespace ingot::apiserver {

namespace {

constexpr std::size_t kMostOperations = 10'000;

ApiError notApplicable() {
  Status status{
      .code = 422, .reason = "Invalid", .message = "the server rejected our request due to an error in our request"};
  status.details.emplace();
  return ApiError(std::move(status));
}

ApiError tooManyOperations(std::size_t count) {
  Status status{.code = 413, .reason = "RequestEntityTooLarge"};
  status.message = fmt::format("Request entity too large: The allowed maximum operations in a JSON patch is {}, got {}",
                               kMostOperations, count);
  return ApiError(std::move(status));
}

void applyOperations(const json::Value& patch, json::Value& object) {
  try {
    json::applyJsonPatch(object, patch, {.replaceAdds = true});
  } catch (const json::PatchError&) {
    throw notApplicable();
  }
}

constexpr std::string_view kDirective = "$patch";
constexpr std::string_view kDeletePrefix = "$deleteFromPrimitiveList/";
constexpr std::string_view kOrderPrefix = "$setElementOrder/";
constexpr std::string_view kRetainKeys = "$retainKeys";

// Which lists merge. Everything else is replaced whole. Paths are dotted, without the indexes.
struct ListRule {
  std::string_view kind;  // "" for every kind
  std::string_view path;
  std::string_view key;  // "" for a set of primitives
};
constexpr ListRule kLists[] = {
    {"", "metadata.ownerReferences", "uid"},    {"", "metadata.finalizers", ""},
    {"ServiceAccount", "secrets", "name"},      {"ServiceAccount", "imagePullSecrets", "name"},
    {"Namespace", "status.conditions", "type"}, {"Node", "status.conditions", "type"},
    {"Node", "status.addresses", "type"},       {"Node", "spec.podCIDRs", ""},
};

const ListRule* listRule(std::string_view kind, std::string_view path) {
  for (const auto& rule : kLists)
    if (rule.path == path && (rule.kind.empty() || rule.kind == kind)) return &rule;
  return nullptr;
}

// Strategic merge patch for the built-in kinds (spec/kubernetes-api.md §7.4). Throws ApiError 400 for a directive that
// makes no sense.
class StrategicMerge {
 public:
  explicit StrategicMerge(std::string_view kind) : kind_(kind) {}

  void object(json::Value& target, const json::Object& patch, const std::string& path) {
    if (directive(patch) == "replace") return replace(target, patch);
    if (directive(patch) == "delete") return void(target = json::Object());
    if (!target.is_object()) target = json::Object();
    json::Object& members = target.get_object();
    retain(members, patch);
    for (const auto& [name, value] : patch) {
      const std::string_view member = name;
      if (member == kDirective || member == kRetainKeys || member.starts_with(kOrderPrefix)) continue;
      if (member.starts_with(kDeletePrefix))
        removeItems(members, member.substr(kDeletePrefix.size()), value);
      else
        set(members, member, value, path.empty() ? std::string(member) : path + "." + std::string(member));
    }
    for (const auto& [name, value] : patch)
      if (std::string_view(name).starts_with(kOrderPrefix))
        order(members, std::string_view(name).substr(kOrderPrefix.size()), value, path);
  }

 private:
  static std::string directive(const json::Object& patch) {
    const json::Value* found = patch.if_contains(kDirective);
    if (!found) return "";
    const std::string text = found->is_string() ? std::string(found->get_string()) : json::serialize(*found);
    if (text != "replace" && text != "delete" && text != "merge")
      throw badRequest("unrecognized value for $patch: " + text);
    return text;
  }

  static json::Value without(const json::Object& patch) {
    json::Object plain = patch;
    plain.erase(kDirective);
    return plain;
  }

  static void replace(json::Value& target, const json::Object& patch) { target = without(patch); }

  static void retain(json::Object& members, const json::Object& patch) {
    const json::Value* keys = patch.if_contains(kRetainKeys);
    if (!keys || !keys->is_array()) return;
    for (auto it = members.begin(); it != members.end();) {
      const bool kept = std::any_of(keys->get_array().begin(), keys->get_array().end(), [&](const json::Value& key) {
        return key.is_string() && key.get_string() == it->key();
      });
      it = kept ? it + 1 : members.stable_erase(it);
    }
  }

  void set(json::Object& members, std::string_view name, const json::Value& value, const std::string& path) {
    if (value.is_null()) {
      if (const auto found = members.find(name); found != members.end()) members.stable_erase(found);
      return;
    }
    json::Value& target = members[name];
    if (const json::Object* patch = value.if_object())
      object(target, *patch, path);
    else if (const ListRule* rule = listRule(kind_, path); rule && value.is_array())
      list(target, value.get_array(), *rule, path);
    else
      target = value;
  }

  void list(json::Value& target, const json::Array& patch, const ListRule& rule, const std::string& path) {
    if (!target.is_array()) target = json::Array();
    json::Array& items = target.get_array();
    if (rule.key.empty()) return addPrimitives(items, patch);
    if (replacesWhole(patch)) items.clear();
    for (const auto& one : patch) {
      if (!one.is_object()) throw badRequest("a list that merges by " + std::string(rule.key) + " holds objects only");
      item(items, one.get_object(), rule, path);
    }
  }

  static bool replacesWhole(const json::Array& patch) {
    return std::any_of(patch.begin(), patch.end(), [](const json::Value& one) {
      return one.is_object() && directive(one.get_object()) == "replace" && one.get_object().size() == 1;
    });
  }

  void item(json::Array& items, const json::Object& patch, const ListRule& rule, const std::string& path) {
    const std::string how = directive(patch);
    if (how == "replace" && patch.size() == 1) return;
    const json::Value* key = patch.if_contains(rule.key);
    if (!key)
      throw badRequest(
          fmt::format("map: {} does not contain declared merge key: {}", json::serialize(patch), rule.key));
    const auto found = std::find_if(items.begin(), items.end(), [&](const json::Value& candidate) {
      const json::Value* other = json::find(candidate, {rule.key});
      return other && json::equal(*other, *key);
    });
    if (how == "delete") {
      if (found != items.end()) items.erase(found);
    } else if (found == items.end()) {
      json::Value fresh;
      object(fresh, without(patch).get_object(), path);
      items.push_back(std::move(fresh));
    } else {
      object(*found, patch, path);
    }
  }

  static void addPrimitives(json::Array& items, const json::Array& patch) {
    for (const auto& one : patch)
      if (std::none_of(items.begin(), items.end(), [&](const json::Value& have) { return json::equal(have, one); }))
        items.push_back(one);
  }

  static void removeItems(json::Object& members, std::string_view name, const json::Value& gone) {
    json::Value* list = members.if_contains(name);
    if (!list || !list->is_array() || !gone.is_array()) return;
    json::Array& items = list->get_array();
    for (auto it = items.begin(); it != items.end();) {
      const bool drop = std::any_of(gone.get_array().begin(), gone.get_array().end(),
                                    [&](const json::Value& one) { return json::equal(one, *it); });
      it = drop ? items.erase(it) : it + 1;
    }
  }

  // Items named by the directive take its order; the others keep their places before them.
  void order(json::Object& members, std::string_view name, const json::Value& wanted, const std::string& path) {
    json::Value* list = members.if_contains(name);
    const ListRule* rule = listRule(kind_, path.empty() ? std::string(name) : path + "." + std::string(name));
    if (!list || !list->is_array() || !wanted.is_array() || !rule) return;
    json::Array& items = list->get_array();
    std::multimap<std::ptrdiff_t, json::Value> ranked;  // equal ranks keep their order
    for (auto& item : items) ranked.emplace(rankOf(item, wanted.get_array(), *rule), std::move(item));
    items.clear();
    for (auto& [rank, item] : ranked) items.push_back(std::move(item));
  }

  static std::ptrdiff_t rankOf(const json::Value& item, const json::Array& wanted, const ListRule& rule) {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const json::Value* a = rule.key.empty() ? &item : json::find(item, {rule.key});
      const json::Value* b = rule.key.empty() ? &wanted[i] : json::find(wanted[i], {rule.key});
      if (a && b && json::equal(*a, *b)) return static_cast<std::ptrdiff_t>(i);
    }
    return -1;
  }

  std::string_view kind_;
};

}  // namespace

void checkPatch(PatchType type, const json::Value& patch) {
  const bool wantsArray = type == PatchType::json;
  if (wantsArray && !patch.is_array())
    throw badRequest(
        fmt::format("error decoding patch: json: cannot unmarshal {} into Go value of type []handlers.jsonPatchOp",
                    json::kindName(patch)));
  if (!wantsArray && !patch.is_object())
    throw badRequest(
        fmt::format("error decoding patch: json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
                    json::kindName(patch)));
  if (wantsArray && patch.get_array().size() > kMostOperations) throw tooManyOperations(patch.get_array().size());
}

void applyPatch(PatchType type, std::string_view kind, const json::Value& patch, json::Value& object) {
  switch (type) {
    case PatchType::merge: return json::applyMergePatch(object, patch);
    case PatchType::json: return applyOperations(patch, object);
    case PatchType::strategic: return StrategicMerge(kind).object(object, patch.get_object(), "");
  }
}

}  // namespace ingot::apiserver
