#include "json/shape.hpp"

#include <algorithm>

namespace ingot::json {

DecodeError::DecodeError(std::string path, const std::string& problem)
    : Error(path.empty() ? problem : path + ": " + problem), path_(std::move(path)), problem_(problem) {}

std::string Decoding::path() const {
  if (!parent) return "";
  std::string out = parent->path();
  if (isIndex) return out + "[" + std::to_string(index) + "]";
  if (!out.empty()) out += '.';
  return out.append(key);
}

void Decoding::fail(const std::string& problem) const { throw DecodeError(path(), problem); }

void Decoding::expected(std::string_view what, const Value& v) const {
  fail("expected " + std::string(what) + ", got " + std::string(kindName(v)));
}

FieldOptions& FieldOptions::schema(std::string_view keyword, Value value) {
  field_.extra[keyword] = std::move(value);
  return *this;
}

FieldOptions& FieldOptions::itemSchema(std::string_view keyword, Value value) {
  Value& items = field_.extra["items"];
  if (!items.is_object()) items.emplace_object();
  items.get_object()[keyword] = std::move(value);
  return *this;
}

FieldOptions& FieldOptions::rule(std::string_view cel, std::string_view message) {
  Value& rules = field_.extra["x-kubernetes-validations"];
  if (!rules.is_array()) rules.emplace_array();
  rules.get_array().push_back(Object{{"rule", Value(cel)}, {"message", Value(message)}});
  return *this;
}

Field& Shape::add(std::string_view name, std::size_t offset, const TypeOps& ops) {
  return fields_.emplace_back(Field{.name = name, .offset = offset, .ops = &ops});
}

const Field* Shape::find(std::string_view name) const {
  const auto it = std::ranges::find(fields_, name, &Field::name);
  return it == fields_.end() ? nullptr : &*it;
}

namespace {

const void* at(const void* base, const Field& f) { return static_cast<const std::byte*>(base) + f.offset; }
void* at(void* base, const Field& f) { return static_cast<std::byte*>(base) + f.offset; }

// `member`, which `document` does not have or has as null, is written as more than that.
bool lacks(const Field& field, const void* member, const Value* document, const Decoding& how) {
  const bool isWritten = field.always || !field.ops->empty(member) || how.parent == nullptr;
  if (!isWritten) return false;
  const Value written = field.ops->encode(member);
  if (document != nullptr || how.parent == nullptr) return written.is_object() && !written.get_object().empty();
  return !written.is_null();
}

// Keywords of `from` laid over `into`: null removes, objects under "items" are merged.
void overlay(Object& into, const Object& from) {
  for (const auto& [key, value] : from) {
    if (value.is_null()) {
      into.erase(key);
    } else if (key == "items" && value.is_object() && into["items"].is_object()) {
      overlay(into["items"].get_object(), value.get_object());
    } else {
      into[key] = value;
    }
  }
}

}  // namespace

void Shape::decode(const Value& from, void* to, Decoding& how) const {
  if (from.is_null()) return;
  if (!from.is_object()) how.expected("object", from);
  const Object& members = from.get_object();
  for (const Field& f : fields_) {
    const Value* v = members.if_contains(f.name);
    const bool isThere = v != nullptr && !v->is_null();
    if (!isThere && how.looksAt(f.name) && !how.lacks->any) how.lacks->any = lacks(f, at(to, f), v, how);
    if (!v) continue;
    Decoding below = how.member(f.name);
    f.ops->decode(*v, at(to, f), below);
  }
  if (!how.unknown) return;
  for (const auto& member : members)
    if (!find(member.key())) how.unknown->push_back(how.member(member.key()).path());
}

Value Shape::encode(const void* from) const {
  Object out;
  out.reserve(fields_.size());
  for (const Field& f : fields_) {
    const void* member = at(from, f);
    if (f.always || !f.ops->empty(member)) out.emplace(f.name, f.ops->encode(member));
  }
  return out;
}

bool Shape::empty(const void* of) const {
  return std::ranges::all_of(fields_, [&](const Field& f) { return f.ops->empty(at(of, f)); });
}

bool Shape::equal(const void* a, const void* b) const {
  return std::ranges::all_of(fields_, [&](const Field& f) { return f.ops->equal(at(a, f), at(b, f)); });
}

Differences Shape::differences(const void* before, const void* after, const Value* raw) const {
  Object from, to;
  for (const Field& f : fields_) {
    const void *a = at(before, f), *b = at(after, f);
    const Value* known = raw ? json::find(*raw, {f.name}) : nullptr;
    if ((!raw || known) && f.ops->equal(a, b)) continue;
    const bool isWritten = f.always || !f.ops->empty(a), willBe = f.always || !f.ops->empty(b);
    const Shape* inner = isWritten && willBe && (!raw || known) ? f.ops->shape() : nullptr;
    if (inner) {
      auto [innerFrom, innerTo] = inner->differences(a, b, known);
      from.emplace(f.name, std::move(innerFrom));
      to.emplace(f.name, std::move(innerTo));
      continue;
    }
    if (isWritten) from.emplace(f.name, f.ops->encode(a));
    if (willBe) to.emplace(f.name, f.ops->encode(b));
  }
  return {std::move(from), std::move(to)};
}

void Shape::schema(Object& into) const {
  into["type"] = "object";
  if (!doc_.empty()) into["description"] = Value(doc_);
  Object& properties = into["properties"].emplace_object();
  Array required;
  for (const Field& f : fields_) {
    Object& property = properties[f.name].emplace_object();
    f.ops->schema(property);
    if (!f.doc.empty()) property["description"] = Value(f.doc);
    overlay(property, f.extra);
    if (f.required) required.emplace_back(Value(f.name));
  }
  if (!required.empty()) into["required"] = std::move(required);
  overlay(into, extra_);
}

}  // namespace ingot::json
