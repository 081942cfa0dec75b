// The runtime form of a describe(): a list of type-erased fields. One small set of functions per member *type* is
// instantiated, none per field; the loops over fields are compiled once, in shape.cpp.
#pragma once

#include "json/value.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::json {

// `path` names the member ("spec.nics[2].mac"; "" for the document itself), `problem` what is wrong with it.
class DecodeError final : public base::Error {
 public:
  DecodeError(std::string path, const std::string& problem);
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  std::string path_, problem_;
};

// Whether a struct would write members that its document does not have: what is required, and was never written.
struct Lacks {
  std::string_view below;  // the member of the document that is looked at
  bool any = false;
};

// Where a decode stands; the path is only spelled out when something is wrong.
struct Decoding {
  const Decoding* parent = nullptr;
  std::string_view key;
  std::size_t index = 0;
  bool isIndex = false;
  std::vector<std::string>* unknown = nullptr;  // collects paths of unknown members when set
  Lacks* lacks = nullptr;                       // told when set

  [[nodiscard]] Decoding member(std::string_view name) const {
    return {.parent = this, .key = name, .unknown = unknown, .lacks = looksAt(name) ? lacks : nullptr};
  }
  [[nodiscard]] Decoding item(std::size_t i) const {
    return {.parent = this, .index = i, .isIndex = true, .unknown = unknown, .lacks = lacks};
  }
  [[nodiscard]] bool looksAt(std::string_view name) const {
    return lacks != nullptr && (parent != nullptr || name == lacks->below);
  }
  [[nodiscard]] std::string path() const;
  [[noreturn]] void fail(const std::string& problem) const;
  // "expected <what>, got <kind of v>"
  [[noreturn]] void expected(std::string_view what, const Value& v) const;
};

class Shape;

struct TypeOps {
  void (*decode)(const Value& from, void* to, Decoding& how);
  Value (*encode)(const void* from);
  bool (*empty)(const void* of);
  bool (*equal)(const void* a, const void* b);
  void (*schema)(Object& into);
  const Shape* (*shape)();  // of a described struct, otherwise nullptr
};

struct Field {
  std::string_view name;
  std::size_t offset = 0;
  const TypeOps* ops = nullptr;
  bool required = false;  // in the schema
  bool always = false;    // written even when empty
  std::string_view doc;
  Object extra;  // further schema keywords; a null value removes a keyword
};

// What a field may say about itself. Returned by v.field(); the schema words are those of OpenAPI v3.
class FieldOptions {
 public:
  explicit FieldOptions(Field& field) : field_(field) {}

  FieldOptions& required() {
    field_.required = field_.always = true;
    return *this;
  }
  FieldOptions& always() {
    field_.always = true;
    return *this;
  }
  FieldOptions& requiredButOmitted() {
    field_.required = true;
    return *this;
  }  // in the schema only
  FieldOptions& doc(std::string_view text) {
    field_.doc = text;
    return *this;
  }
  FieldOptions& oneOf(std::initializer_list<Value> values) { return schema("enum", list(values)); }
  FieldOptions& anyText() { return schema("enum", nullptr); }  // no enum for an Enum<E>
  FieldOptions& pattern(std::string_view regex) { return schema("pattern", Value(regex)); }
  FieldOptions& format(std::string_view name) { return schema("format", Value(name)); }
  FieldOptions& minimum(std::int64_t n) { return schema("minimum", n); }
  FieldOptions& maximum(std::int64_t n) { return schema("maximum", n); }
  FieldOptions& minLength(std::int64_t n) { return schema("minLength", n); }
  FieldOptions& maxLength(std::int64_t n) { return schema("maxLength", n); }
  FieldOptions& minItems(std::int64_t n) { return schema("minItems", n); }
  FieldOptions& maxItems(std::int64_t n) { return schema("maxItems", n); }
  FieldOptions& defaultTo(Value v) { return schema("default", std::move(v)); }  // by the API server, not by decode
  FieldOptions& nullable() { return schema("nullable", true); }
  FieldOptions& listType(std::string_view type) { return schema("x-kubernetes-list-type", Value(type)); }
  FieldOptions& listMap(std::initializer_list<Value> keys) {
    return listType("map").schema("x-kubernetes-list-map-keys", list(keys));
  }
  FieldOptions& mapType(std::string_view type) { return schema("x-kubernetes-map-type", Value(type)); }
  FieldOptions& preserveUnknown() { return schema("x-kubernetes-preserve-unknown-fields", true); }
  FieldOptions& rule(std::string_view cel, std::string_view message);  // x-kubernetes-validations
  FieldOptions& schema(std::string_view keyword, Value value);         // any other keyword
  FieldOptions& itemSchema(std::string_view keyword, Value value);     // the same for the items of a vector

 private:
  static Array list(std::initializer_list<Value> values) { return Array(values.begin(), values.end()); }

  Field& field_;
};

// Two states of a struct, as far as a merge patch from one to the other needs them.
struct Differences {
  Value before, after;
};

class Shape {
 public:
  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }
  [[nodiscard]] const Field* find(std::string_view name) const;

  void decode(const Value& from, void* to, Decoding& how) const;
  [[nodiscard]] Value encode(const void* from) const;
  [[nodiscard]] bool empty(const void* of) const;
  [[nodiscard]] bool equal(const void* a, const void* b) const;
  // encode() of both, without the members that are the same, unless `raw` lacks them. `raw`: the document that `before`
  // was decoded from, or nullptr when that lacks nothing that encode() writes. mergePatchKeeping() makes the same patch
  // of these as of the whole, for a fraction of the work.
  [[nodiscard]] Differences differences(const void* before, const void* after, const Value* raw) const;
  void schema(Object& into) const;

 protected:
  Field& add(std::string_view name, std::size_t offset, const TypeOps& ops);

  std::vector<Field> fields_;
  std::string_view doc_;
  Object extra_;
};

}  // namespace ingot::json
