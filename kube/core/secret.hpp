// core/v1 Secret. Its values never leave base::Secret but on the wire.
#pragma once

#include "base/secret.hpp"
#include "json/describe.hpp"
#include "kube/core/kind.hpp"

#include <map>
#include <optional>
#include <string>

namespace ingot::kube {

// A base::Secret that JSON carries as base64.
class SecretBytes : public base::Secret {
 public:
  using base::Secret::Secret;
  SecretBytes() = default;
  SecretBytes(base::Secret value) : base::Secret(std::move(value)) {}  // implicit: the same bytes
};

struct Secret {
  ObjectMeta metadata;
  std::string type;
  std::map<std::string, SecretBytes> data;
  std::optional<bool> immutable;

  static const KindInfo info;

  // nullptr when there is no such key.
  [[nodiscard]] const base::Secret* find(const std::string& key) const;

  static void describe(auto& v) {
    v.field("metadata", &Secret::metadata);
    v.field("type", &Secret::type);
    v.field("data", &Secret::data);
    v.field("immutable", &Secret::immutable);
  }
  friend bool operator==(const Secret&, const Secret&) = default;
};

}  // namespace ingot::kube

template <>
struct ingot::json::Codec<ingot::kube::SecretBytes> {
  static void decode(const Value& v, kube::SecretBytes& out, Decoding& how);
  static Value encode(const kube::SecretBytes& secret);
  static bool empty(const kube::SecretBytes& secret) { return secret.empty(); }
  static bool equal(const kube::SecretBytes& a, const kube::SecretBytes& b) { return a == b; }
  static void schema(Object& into);
};

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::kube::Secret>();
