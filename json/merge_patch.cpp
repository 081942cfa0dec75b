#include "json/patch.hpp"

namespace ingot::json {

Value mergePatch(const Value& from, const Value& to) {
  if (!from.is_object() || !to.is_object()) return to;
  const Object& before = from.get_object();
  const Object& after = to.get_object();
  Object patch;
  for (const auto& member : before)
    if (!after.contains(member.key())) patch[member.key()] = nullptr;
  for (const auto& [key, value] : after) {
    const Value* old = before.if_contains(key);
    if (!old) {
      patch[key] = value;
    } else if (!equal(*old, value)) {
      patch[key] = mergePatch(*old, value);
    }
  }
  return patch;
}

void applyMergePatch(Value& target, const Value& patch) {
  if (!patch.is_object()) {
    target = patch;
    return;
  }
  if (!target.is_object()) target.emplace_object();
  Object& members = target.get_object();
  for (const auto& [key, value] : patch.get_object()) {
    if (value.is_null()) {
      members.erase(key);
    } else {
      applyMergePatch(members[key], value);
    }
  }
}

namespace {

const Value kAbsent;

const Value& memberOr(const Value& v, std::string_view key) {
  const Value* found = find(v, {key});
  return found ? *found : kAbsent;
}

// The member by which list items of the Kubernetes API are told apart, if this item has one.
const Value* identity(const Value& item) {
  for (const std::string_view key : {"type", "name", "key", "uid", "mac", "id"})
    if (const Value* found = find(item, {key})) return found;
  return nullptr;
}

bool sameIdentity(const Value& a, const Value& b) {
  const Value* x = identity(a);
  const Value* y = identity(b);
  return x && y && equal(*x, *y);
}

// Items without such a member: do they share a text?
bool alike(const Value& a, const Value& b) {
  if (!a.is_object() || !b.is_object() || identity(a) || identity(b)) return false;
  return std::ranges::any_of(a.get_object(), [&](const auto& member) {
    const Value* other = b.get_object().if_contains(member.key());
    return other && other->is_string() && equal(*other, member.value());
  });
}

// For each item of `to` the index of the item of `from` it goes back to; nullopt for a new one.
std::vector<std::optional<std::size_t>> origins(const Array& from, const Array& to) {
  std::vector<std::optional<std::size_t>> out(to.size());
  std::vector<bool> taken(from.size());
  const auto matchAll = [&](auto&& same) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      for (std::size_t k = 0; k < from.size() && !out[i]; ++k) {
        if (taken[k] || !same(i, k)) continue;
        out[i] = k;
        taken[k] = true;
      }
    }
  };
  matchAll([&](std::size_t i, std::size_t k) { return i == k && equal(to[i], from[k]); });
  matchAll([&](std::size_t i, std::size_t k) { return equal(to[i], from[k]); });
  matchAll([&](std::size_t i, std::size_t k) { return sameIdentity(to[i], from[k]); });
  matchAll([&](std::size_t i, std::size_t k) { return alike(to[i], from[k]); });
  return out;
}

Value arrayKeeping(const Array& from, const Array& to, const Array& raw) {
  const auto origin = origins(from, to);
  Array out;
  out.reserve(to.size());
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (!origin[i]) {
      out.push_back(to[i]);
      continue;
    }
    const std::size_t k = *origin[i];
    Value item = raw[k];
    applyMergePatch(item, mergePatchKeeping(from[k], to[i], raw[k]));
    out.push_back(std::move(item));
  }
  return out;
}

// Once an object is written at all, what our encoding always writes must be there (the server requires it).
void addMissing(Object& patch, const Object& to, const Value& raw) {
  for (const auto& [key, value] : to)
    if (!value.is_null() && !patch.contains(key) && !find(raw, {key})) patch[key] = value;
}

}  // namespace

Value mergePatchKeeping(const Value& from, const Value& to, const Value& raw) {
  if (equal(from, to)) return to.is_object() ? Value(Object()) : to;
  if (from.is_array() && to.is_array() && raw.is_array() && raw.get_array().size() == from.get_array().size())
    return arrayKeeping(from.get_array(), to.get_array(), raw.get_array());
  if (!from.is_object() || !to.is_object()) return to;

  Object patch;
  for (const auto& member : from.get_object())
    if (!to.get_object().contains(member.key())) patch[member.key()] = nullptr;
  for (const auto& [key, value] : to.get_object()) {
    const Value* old = find(from, {key});
    if (!old) {
      patch[key] = value;
    } else if (!equal(*old, value)) {
      patch[key] = mergePatchKeeping(*old, value, memberOr(raw, key));
    }
  }
  addMissing(patch, to.get_object(), raw);
  return patch;
}

}  // namespace ingot::json
