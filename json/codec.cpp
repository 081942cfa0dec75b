#include "json/codec.hpp"

#include "base/base64.hpp"

#include <boost/json.hpp>

#include <cmath>
#include <limits>

namespace ingot::json {

namespace {

constexpr double kExactIntegers = 9007199254740992.0;  // 2^53

template <class Int>
void decodeInteger(const Value& v, Int& out, Decoding& how) {
  if (v.is_null()) return;
  if (!v.is_number()) how.expected("integer", v);
  if (v.is_double()) {
    const double d = v.get_double();
    if (d != std::trunc(d) || std::abs(d) > kExactIntegers) how.fail("expected integer, got " + json::serialize(v));
  }
  boost::system::error_code problem;
  const auto n = v.to_number<Int>(problem);
  if (problem) how.fail(json::serialize(v) + " is out of range");
  out = n;
}

const boost::json::string& textOrFail(const Value& v, Decoding& how) {
  if (!v.is_string()) how.expected("string", v);
  return v.get_string();
}

base::WallTime decodeTime(const Value& v, Decoding& how) {
  const auto& text = textOrFail(v, how);
  const auto time = base::parseTime(text);
  if (!time) how.fail("\"" + std::string(text) + "\" is not an RFC 3339 time");
  return *time;
}

}  // namespace

void Codec<bool>::decode(const Value& v, bool& out, Decoding& how) {
  if (v.is_null()) return;
  if (!v.is_bool()) how.expected("bool", v);
  out = v.get_bool();
}
Value Codec<bool>::encode(const bool& b) { return Value(b); }
bool Codec<bool>::empty(const bool& b) { return !b; }
bool Codec<bool>::equal(const bool& a, const bool& b) { return a == b; }
void Codec<bool>::schema(Object& into) { into["type"] = "boolean"; }

// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define INGOT_JSON_INTEGER_CODEC(T)                                                            \
  void Codec<T>::decode(const Value& v, T& out, Decoding& how) { decodeInteger(v, out, how); } \
  Value Codec<T>::encode(const T& n) { return Value(n); }                                      \
  bool Codec<T>::empty(const T& n) { return n == 0; }                                          \
  bool Codec<T>::equal(const T& a, const T& b) { return a == b; }                              \
  void Codec<T>::schema(Object& into) { into["type"] = "integer"; }
INGOT_JSON_INTEGER_CODEC(int)
INGOT_JSON_INTEGER_CODEC(unsigned)
INGOT_JSON_INTEGER_CODEC(std::int64_t)
INGOT_JSON_INTEGER_CODEC(std::uint64_t)
#undef INGOT_JSON_INTEGER_CODEC
// NOLINTEND(bugprone-macro-parentheses)

void Codec<double>::decode(const Value& v, double& out, Decoding& how) {
  if (v.is_null()) return;
  if (!v.is_number()) how.expected("number", v);
  out = v.to_number<double>();
}
// A whole number is written as an integer, as Go does: 3400, not 3.4E3.
Value Codec<double>::encode(const double& d) {
  if (d == std::trunc(d) && std::abs(d) < kExactIntegers) return Value(static_cast<std::int64_t>(d));
  return Value(d);
}
bool Codec<double>::empty(const double& d) { return d == 0; }
bool Codec<double>::equal(const double& a, const double& b) { return a == b; }
void Codec<double>::schema(Object& into) { into["type"] = "number"; }

void Codec<std::string>::decode(const Value& v, std::string& out, Decoding& how) {
  if (v.is_null()) return;
  // A new string is made: assigning to `out` would reserve at least 30 bytes, and caches hold many short texts.
  const auto& text = textOrFail(v, how);
  out = std::string(text.data(), text.size());
}
Value Codec<std::string>::encode(const std::string& s) { return Value(s); }
bool Codec<std::string>::empty(const std::string& s) { return s.empty(); }
bool Codec<std::string>::equal(const std::string& a, const std::string& b) { return a == b; }
void Codec<std::string>::schema(Object& into) { into["type"] = "string"; }

void Codec<base::WallTime>::decode(const Value& v, base::WallTime& out, Decoding& how) {
  if (!v.is_null()) out = decodeTime(v, how);
}
Value Codec<base::WallTime>::encode(const base::WallTime& t) { return empty(t) ? Value() : Value(base::formatTime(t)); }
bool Codec<base::WallTime>::empty(const base::WallTime& t) { return t == base::WallTime{}; }
bool Codec<base::WallTime>::equal(const base::WallTime& a, const base::WallTime& b) { return a == b; }
void Codec<base::WallTime>::schema(Object& into) {
  into["type"] = "string";
  into["format"] = "date-time";
}

void Codec<MicroTime>::decode(const Value& v, MicroTime& out, Decoding& how) {
  if (!v.is_null()) out.time = decodeTime(v, how);
}
Value Codec<MicroTime>::encode(const MicroTime& t) { return empty(t) ? Value() : Value(base::formatMicroTime(t.time)); }
bool Codec<MicroTime>::empty(const MicroTime& t) { return t.time == base::WallTime{}; }
bool Codec<MicroTime>::equal(const MicroTime& a, const MicroTime& b) { return a == b; }
void Codec<MicroTime>::schema(Object& into) { Codec<base::WallTime>::schema(into); }

void Codec<Bytes>::decode(const Value& v, Bytes& out, Decoding& how) {
  if (v.is_null()) return;
  auto bytes = base::fromBase64(textOrFail(v, how));
  if (!bytes) how.fail("not base64");
  out.data = std::move(*bytes);
}
Value Codec<Bytes>::encode(const Bytes& b) { return Value(base::toBase64(b.data)); }
bool Codec<Bytes>::empty(const Bytes& b) { return b.data.empty(); }
bool Codec<Bytes>::equal(const Bytes& a, const Bytes& b) { return a == b; }
void Codec<Bytes>::schema(Object& into) {
  into["type"] = "string";
  into["format"] = "byte";
}

void Codec<IntOrString>::decode(const Value& v, IntOrString& out, Decoding& how) {
  if (v.is_null()) return;
  if (v.is_string()) {
    out.value = std::string(v.get_string());
    return;
  }
  if (!v.is_number()) how.expected("integer or string", v);
  decodeInteger(v, out.value.emplace<std::int64_t>(), how);
}
Value Codec<IntOrString>::encode(const IntOrString& n) {
  if (const auto* text = std::get_if<std::string>(&n.value)) return Value(*text);
  return Value(std::get<std::int64_t>(n.value));
}
bool Codec<IntOrString>::empty(const IntOrString& n) { return n == IntOrString{}; }
bool Codec<IntOrString>::equal(const IntOrString& a, const IntOrString& b) { return a == b; }
void Codec<IntOrString>::schema(Object& into) {
  into["anyOf"] = Array{Object{{"type", "integer"}}, Object{{"type", "string"}}};
  into["x-kubernetes-int-or-string"] = true;
}

void Codec<Value>::decode(const Value& v, Value& out, Decoding&) { out = v; }
Value Codec<Value>::encode(const Value& v) { return v; }
bool Codec<Value>::empty(const Value& v) { return v.is_null(); }
bool Codec<Value>::equal(const Value& a, const Value& b) { return json::equal(a, b); }
void Codec<Value>::schema(Object& into) { into["x-kubernetes-preserve-unknown-fields"] = true; }

void Codec<Object>::decode(const Value& v, Object& out, Decoding& how) {
  if (v.is_null()) return;
  if (!v.is_object()) how.expected("object", v);
  out = v.get_object();
}
Value Codec<Object>::encode(const Object& o) { return o; }
bool Codec<Object>::empty(const Object& o) { return o.empty(); }
bool Codec<Object>::equal(const Object& a, const Object& b) { return json::equal(a, b); }
void Codec<Object>::schema(Object& into) {
  into["type"] = "object";
  into["x-kubernetes-preserve-unknown-fields"] = true;
}

void Codec<Array>::decode(const Value& v, Array& out, Decoding& how) {
  if (v.is_null()) return;
  if (!v.is_array()) how.expected("array", v);
  out = v.get_array();
}
Value Codec<Array>::encode(const Array& a) { return a; }
bool Codec<Array>::empty(const Array& a) { return a.empty(); }
bool Codec<Array>::equal(const Array& a, const Array& b) { return json::equal(a, b); }
void Codec<Array>::schema(Object& into) {
  into["type"] = "array";
  into["items"] = Object{{"x-kubernetes-preserve-unknown-fields", true}};
}

}  // namespace ingot::json
