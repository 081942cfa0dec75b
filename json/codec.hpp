// How each C++ type reads, writes, compares and describes itself as JSON. Specialise Codec for a type of your own.
#pragma once

#include "base/clock.hpp"
#include "json/enum.hpp"
#include "json/shape.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ingot::json {

// Kubernetes' MicroTime: written with microseconds.
struct MicroTime {
  base::WallTime time{};
  friend auto operator<=>(const MicroTime&, const MicroTime&) = default;
};

// Bytes that JSON carries as base64.
struct Bytes {
  std::string data;
  friend auto operator<=>(const Bytes&, const Bytes&) = default;
};

// A number or a text, as in ports and percentages.
struct IntOrString {
  std::variant<std::int64_t, std::string> value = std::int64_t{0};
  friend bool operator==(const IntOrString&, const IntOrString&) = default;
};

template <class T>
struct Codec;  // decode(const Value&, T&, Decoding&), encode(const T&), empty(const T&), equal(a, b), schema(Object&)

template <class T>
inline constexpr TypeOps typeOps{
    [](const Value& from, void* to, Decoding& how) { Codec<T>::decode(from, *static_cast<T*>(to), how); },
    [](const void* from) { return Codec<T>::encode(*static_cast<const T*>(from)); },
    [](const void* of) { return Codec<T>::empty(*static_cast<const T*>(of)); },
    [](const void* a, const void* b) { return Codec<T>::equal(*static_cast<const T*>(a), *static_cast<const T*>(b)); },
    [](Object& into) { Codec<T>::schema(into); },
    []() -> const Shape* {
      if constexpr (requires { Codec<T>::shape(); }) return Codec<T>::shape();
      return nullptr;
    }};

// --- plain values (codec.cpp) ---------------------------------------------------------------------------------------

// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define INGOT_JSON_PLAIN_CODEC(T)                            \
  template <>                                                \
  struct Codec<T> {                                          \
    static void decode(const Value&, T& out, Decoding& how); \
    static Value encode(const T&);                           \
    static bool empty(const T&);                             \
    static bool equal(const T&, const T&);                   \
    static void schema(Object& into);                        \
  };
INGOT_JSON_PLAIN_CODEC(bool)
INGOT_JSON_PLAIN_CODEC(int)
INGOT_JSON_PLAIN_CODEC(unsigned)
INGOT_JSON_PLAIN_CODEC(std::int64_t)
INGOT_JSON_PLAIN_CODEC(std::uint64_t)
INGOT_JSON_PLAIN_CODEC(double)
INGOT_JSON_PLAIN_CODEC(std::string)
INGOT_JSON_PLAIN_CODEC(base::WallTime)
INGOT_JSON_PLAIN_CODEC(MicroTime)
INGOT_JSON_PLAIN_CODEC(Bytes)
INGOT_JSON_PLAIN_CODEC(IntOrString)
INGOT_JSON_PLAIN_CODEC(Value)
INGOT_JSON_PLAIN_CODEC(Object)
INGOT_JSON_PLAIN_CODEC(Array)
#undef INGOT_JSON_PLAIN_CODEC
// NOLINTEND(bugprone-macro-parentheses)

// --- enums -----------------------------------------------------------------------------------------------------------

template <NamedEnum E>
struct Codec<E> {
  static void decode(const Value& v, E& out, Decoding& how) {
    if (v.is_null()) return;
    if (!v.is_string()) how.expected("string", v);
    const auto known = enumFromText<E>(v.get_string());
    if (!known) how.fail("\"" + std::string(v.get_string()) + "\" is not one of " + allNames(namesOf(E{})));
    out = *known;
  }
  static Value encode(const E& e) { return Value(textOf(e)); }
  static bool empty(const E& e) { return textOf(e).empty(); }
  static bool equal(const E& a, const E& b) { return a == b; }
  static void schema(Object& into) { enumSchema(into, namesOf(E{})); }

  template <class Names>
  static std::string allNames(const Names& names) {
    std::string out;
    for (const auto& n : names) out += (out.empty() ? "" : ", ") + std::string(n.name);
    return out;
  }
  template <class Names>
  static void enumSchema(Object& into, const Names& names) {
    into["type"] = "string";
    Array& all = into["enum"].emplace_array();
    for (const auto& n : names) all.emplace_back(n.name);
  }
};

template <NamedEnum E>
struct Codec<Enum<E>> {
  static void decode(const Value& v, Enum<E>& out, Decoding& how) {
    if (v.is_null()) return;
    if (!v.is_string()) how.expected("string", v);
    out = Enum<E>(std::string(v.get_string()));
  }
  static Value encode(const Enum<E>& e) { return Value(e.text()); }
  static bool empty(const Enum<E>& e) { return e.text().empty(); }
  static bool equal(const Enum<E>& a, const Enum<E>& b) { return a.text() == b.text(); }
  static void schema(Object& into) { Codec<E>::schema(into); }
};

// --- containers ------------------------------------------------------------------------------------------------------

template <class T>
struct Codec<std::optional<T>> {
  static void decode(const Value& v, std::optional<T>& out, Decoding& how) {
    if (v.is_null()) return out.reset();
    Codec<T>::decode(v, out.emplace(), how);
  }
  static Value encode(const std::optional<T>& t) { return t ? Codec<T>::encode(*t) : Value(); }
  static bool empty(const std::optional<T>& t) { return !t.has_value(); }
  static bool equal(const std::optional<T>& a, const std::optional<T>& b) {
    return a.has_value() == b.has_value() && (!a || Codec<T>::equal(*a, *b));
  }
  static void schema(Object& into) { Codec<T>::schema(into); }
};

template <class T>
struct Codec<std::vector<T>> {
  static void decode(const Value& v, std::vector<T>& out, Decoding& how) {
    if (v.is_null()) return;
    if (!v.is_array()) how.expected("array", v);
    const Array& items = v.get_array();
    out.clear();
    out.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      Decoding at = how.item(i);
      T item{};
      Codec<T>::decode(items[i], item, at);
      out.push_back(std::move(item));
    }
  }
  static Value encode(const std::vector<T>& all) {
    Array out;
    out.reserve(all.size());
    for (const T& t : all) out.push_back(Codec<T>::encode(t));
    return out;
  }
  static bool empty(const std::vector<T>& all) { return all.empty(); }
  static bool equal(const std::vector<T>& a, const std::vector<T>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const T& x, const T& y) { return Codec<T>::equal(x, y); });
  }
  static void schema(Object& into) {
    into["type"] = "array";
    Codec<T>::schema(into["items"].emplace_object());
  }
};

template <class T, class Less>
struct Codec<std::map<std::string, T, Less>> {
  using Map = std::map<std::string, T, Less>;
  static void decode(const Value& v, Map& out, Decoding& how) {
    if (v.is_null()) return;
    if (!v.is_object()) how.expected("object", v);
    out.clear();
    for (const auto& [key, value] : v.get_object()) {
      Decoding at = how.member(key);
      Codec<T>::decode(value, out[std::string(key)], at);
    }
  }
  static Value encode(const Map& all) {
    Object out;
    out.reserve(all.size());
    for (const auto& [key, t] : all) out.emplace(key, Codec<T>::encode(t));
    return out;
  }
  static bool empty(const Map& all) { return all.empty(); }
  static bool equal(const Map& a, const Map& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
      return x.first == y.first && Codec<T>::equal(x.second, y.second);
    });
  }
  static void schema(Object& into) {
    into["type"] = "object";
    Codec<T>::schema(into["additionalProperties"].emplace_object());
  }
};

// --- described structs -----------------------------------------------------------------------------------------------

// The `v` of describe(auto& v).
template <class T>
class ShapeOf final : public Shape {
 public:
  ShapeOf() { T::describe(*this); }

  template <class M, class B>
  FieldOptions field(std::string_view name, M B::* member) {
    const auto* at = reinterpret_cast<const std::byte*>(std::addressof(sample_.*member));
    const auto offset = static_cast<std::size_t>(at - reinterpret_cast<const std::byte*>(std::addressof(sample_)));
    return FieldOptions(add(name, offset, typeOps<M>));
  }
  ShapeOf& doc(std::string_view text) {
    doc_ = text;
    return *this;
  }
  ShapeOf& schema(std::string_view keyword, Value value) {
    extra_[keyword] = std::move(value);
    return *this;
  }
  ShapeOf& mapType(std::string_view type) { return schema("x-kubernetes-map-type", Value(type)); }
  ShapeOf& preserveUnknown() { return schema("x-kubernetes-preserve-unknown-fields", true); }

 private:
  T sample_{};  // to turn member pointers into offsets
};

template <class T>
concept Described = requires(ShapeOf<T>& v) { &T::template describe<ShapeOf<T>>; };

// Built at first use, then constant. (The only static state: a description, never data.)
template <class T>
[[nodiscard]] const Shape& shapeOf() {
  static const ShapeOf<T> shape;
  return shape;
}

template <Described T>
struct Codec<T> {
  static void decode(const Value& v, T& out, Decoding& how) { shapeOf<T>().decode(v, &out, how); }
  static Value encode(const T& t) { return shapeOf<T>().encode(&t); }
  static bool empty(const T& t) { return shapeOf<T>().empty(&t); }
  static bool equal(const T& a, const T& b) { return shapeOf<T>().equal(&a, &b); }
  static void schema(Object& into) { shapeOf<T>().schema(into); }
  static const Shape* shape() { return &shapeOf<T>(); }
};

}  // namespace ingot::json
