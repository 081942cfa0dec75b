// An optional value on the heap: when it is absent it takes the room of a pointer, not of a T. It is meant for large
// members that few of many cached objects have. Otherwise it behaves as std::optional, which it converts from and to:
// it is copied and compared by content.
#pragma once

#include "json/codec.hpp"

#include <memory>
#include <optional>

namespace ingot::json {

template <class T>
class Boxed {
 public:
  Boxed() = default;
  Boxed(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Boxed(std::optional<T> value) : value_(value ? std::make_unique<T>(std::move(*value)) : nullptr) {}
  Boxed(const Boxed& other) : value_(other ? std::make_unique<T>(*other) : nullptr) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(const Boxed& other) { return *this = Boxed(other); }
  Boxed& operator=(Boxed&&) noexcept = default;
  ~Boxed() = default;

  operator std::optional<T>() const { return *this ? std::optional<T>(*value_) : std::nullopt; }

  template <class... From>
  T& emplace(From&&... from) {
    value_ = std::make_unique<T>(std::forward<From>(from)...);
    return *value_;
  }
  void reset() { value_.reset(); }

  [[nodiscard]] bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  [[nodiscard]] T& operator*() { return *value_; }
  [[nodiscard]] const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

  friend bool operator==(const Boxed& a, const Boxed& b) { return a && b ? *a == *b : a.has_value() == b.has_value(); }
  friend bool operator==(const Boxed& a, const std::optional<T>& b) {
    return a && b ? *a == *b : a.has_value() == b.has_value();
  }
  friend bool operator==(const Boxed& a, const T& b) { return a && *a == b; }

 private:
  std::unique_ptr<T> value_;
};

template <class T>
struct Codec<Boxed<T>> {
  static void decode(const Value& v, Boxed<T>& out, Decoding& how) {
    if (v.is_null()) return out.reset();
    Codec<T>::decode(v, out.emplace(), how);
  }
  static Value encode(const Boxed<T>& t) { return t ? Codec<T>::encode(*t) : Value(); }
  static bool empty(const Boxed<T>& t) { return !t.has_value(); }
  static bool equal(const Boxed<T>& a, const Boxed<T>& b) {
    return a && b ? Codec<T>::equal(*a, *b) : a.has_value() == b.has_value();
  }
  static void schema(Object& into) { Codec<T>::schema(into); }
};

}  // namespace ingot::json
