#include "json/value.hpp"

#include <cmath>

namespace ingot::json {

const Value* find(const Value& v, std::initializer_list<std::string_view> path) {
  const Value* at = &v;
  for (const auto name : path) {
    const Object* members = at->if_object();
    at = members ? members->if_contains(name) : nullptr;
    if (!at) return nullptr;
  }
  return at;
}

namespace {

// "name[3][1]" → the member, then its items.
const Value* step(const Value& v, std::string_view part) {
  const auto bracket = part.find('[');
  const std::string_view name = part.substr(0, bracket);
  const Value* at = name.empty() ? &v : find(v, {name});
  for (auto rest = bracket == std::string_view::npos ? std::string_view{} : part.substr(bracket);
       at && !rest.empty();) {
    std::size_t index = 0;
    const auto end = rest.find(']');
    if (end == std::string_view::npos) return nullptr;
    const auto [last, problem] = std::from_chars(rest.data() + 1, rest.data() + end, index);
    if (problem != std::errc{} || last != rest.data() + end) return nullptr;
    const Array* items = at->if_array();
    at = items && index < items->size() ? &(*items)[index] : nullptr;
    rest.remove_prefix(end + 1);
  }
  return at;
}

}  // namespace

const Value* findPath(const Value& v, std::string_view path) {
  const Value* at = &v;
  while (at && !path.empty()) {
    const auto dot = path.find('.');
    at = step(*at, path.substr(0, dot));
    path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
  }
  return at;
}

std::optional<std::string_view> stringAt(const Value& v, std::initializer_list<std::string_view> path) {
  const Value* at = find(v, path);
  if (!at || !at->is_string()) return std::nullopt;
  return std::string_view(at->get_string());
}

std::optional<std::int64_t> intAt(const Value& v, std::initializer_list<std::string_view> path) {
  const Value* at = find(v, path);
  if (!at || !at->is_number()) return std::nullopt;
  boost::system::error_code problem;
  const auto n = at->to_number<std::int64_t>(problem);
  return problem ? std::nullopt : std::optional(n);
}

std::optional<bool> boolAt(const Value& v, std::initializer_list<std::string_view> path) {
  const Value* at = find(v, path);
  return at && at->is_bool() ? std::optional(at->get_bool()) : std::nullopt;
}

std::string textAt(const Value& v, std::initializer_list<std::string_view> path) {
  return std::string(stringAt(v, path).value_or(""));
}

const Object* objectAt(const Value& v, std::initializer_list<std::string_view> path) {
  const Value* at = find(v, path);
  return at ? at->if_object() : nullptr;
}

const Array* arrayAt(const Value& v, std::initializer_list<std::string_view> path) {
  const Value* at = find(v, path);
  return at ? at->if_array() : nullptr;
}

namespace {

Object& asObject(Value& v, const std::string& where) {
  if (v.is_null()) v.emplace_object();
  if (!v.is_object()) throw base::InvalidInput(where, "expected object, got " + std::string(kindName(v)));
  return v.get_object();
}

}  // namespace

Object& makeObjectAt(Value& v, std::initializer_list<std::string_view> path) {
  std::string where = "document";
  Object* at = &asObject(v, where);
  for (const auto name : path) {
    where = where == "document" ? std::string(name) : fmt::format("{}.{}", where, name);
    at = &asObject((*at)[name], where);
  }
  return *at;
}

std::string_view kindName(const Value& v) {
  switch (v.kind()) {
    case boost::json::kind::null: return "null";
    case boost::json::kind::bool_: return "bool";
    case boost::json::kind::int64:
    case boost::json::kind::uint64:
    case boost::json::kind::double_: return "number";
    case boost::json::kind::string: return "string";
    case boost::json::kind::array: return "array";
    case boost::json::kind::object: return "object";
  }
  return "nothing";
}

namespace {

bool equalNumbers(const Value& a, const Value& b) {
  if (!a.is_double() && !b.is_double()) return a == b;  // compares int64 with uint64 by value
  return a.to_number<double>() == b.to_number<double>();
}

bool equalObjects(const Object& a, const Object& b) {
  if (a.size() != b.size()) return false;
  auto likely = b.begin();  // mostly both have their members in the same order
  for (const auto& [key, value] : a) {
    const Value* other = likely->key() == key ? &likely->value() : b.if_contains(key);
    ++likely;
    if (!other || !equal(value, *other)) return false;
  }
  return true;
}

}  // namespace

bool equal(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return equalNumbers(a, b);
  if (a.kind() != b.kind()) return false;
  if (a.is_object()) return equalObjects(a.get_object(), b.get_object());
  if (a.is_array()) return std::ranges::equal(a.get_array(), b.get_array(), equal);
  return a == b;
}

}  // namespace ingot::json
