#include "kube/core/secret.hpp"

#include "base/base64.hpp"

namespace ingot::kube {

const base::Secret* Secret::find(const std::string& key) const {
  const auto it = data.find(key);
  return it == data.end() ? nullptr : &it->second;
}

}  // namespace ingot::kube

namespace ingot::json {

void Codec<kube::SecretBytes>::decode(const Value& v, kube::SecretBytes& out, Decoding& how) {
  if (v.is_null()) return;
  if (!v.is_string()) how.expected("string", v);
  auto bytes = base::fromBase64(v.get_string());
  if (!bytes) how.fail("not base64");
  out = kube::SecretBytes(std::move(*bytes));
}

Value Codec<kube::SecretBytes>::encode(const kube::SecretBytes& secret) {
  return Value(base::toBase64(secret.reveal()));
}

void Codec<kube::SecretBytes>::schema(Object& into) {
  into["type"] = "string";
  into["format"] = "byte";
}

}  // namespace ingot::json
