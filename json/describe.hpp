// One static `describe(auto& v)` per struct drives decoding, encoding, equality, diff and the OpenAPI schema:
//
//   struct BmcDetails {
//     std::string address;
//     std::optional<bool> secure;
//     static void describe(auto& v) {
//       v.doc("How to reach the BMC.");                                       // the struct itself
//       v.field("address", &BmcDetails::address).required().doc("...");       // a member
//       v.field("secure", &BmcDetails::secure);
//     }
//   };
//   auto bmc = json::decode<BmcDetails>(value);      // throws DecodeError "spec.bmc.address: expected string, got
//   number" json::Value v = json::encode(bmc); json::Value patch = json::diff(before, after);   // a merge patch
//   json::Object schema = json::schemaOf<BmcDetails>();
//
// Members: bool, int, std::int64_t, double, std::string, base::WallTime, MicroTime, Bytes (base64), IntOrString,
// enum with a name table, Enum<E>, json::Value (anything), json::Object (any object), nested described structs,
// and std::optional, std::vector, std::map<std::string, X> of these. A base class that describes itself is taken in
// with `Base::describe(v);`. Other types: specialise json::Codec.
//
// What is made of a description is large, and each file that decodes the struct would have a copy. So a struct that
// many read is compiled once: below it `extern template const ingot::json::Shape& ingot::json::shapeOf<Host>();`, in
// one .cpp the same without `extern`.
//
// Decode: absent and null both leave the member at its C++ default (std::optional: nullopt). Unknown members are
// ignored; decodeStrict lists them. Missing required members are no error here (the API server checks the schema).
// Encode, as Go's omitempty: false, 0, "", nullopt, empty vector, map and struct are left out, unless .required() or
// .always(); nullopt of such a member is written as null, a zero time too. optional<T> with a value is always written.
// A nested struct counts as empty when all its members are, whatever they say of themselves.
#pragma once

#include "json/codec.hpp"
#include "json/patch.hpp"

namespace ingot::json {

template <class T>
[[nodiscard]] T decode(const Value& v) {
  T out{};
  Decoding how;
  Codec<T>::decode(v, out, how);
  return out;
}

// As decode; the paths of members that T does not know are appended to `unknown` ("spec.bmc.adress").
template <class T>
[[nodiscard]] T decodeStrict(const Value& v, std::vector<std::string>& unknown) {
  T out{};
  Decoding how{.unknown = &unknown};
  Codec<T>::decode(v, out, how);
  return out;
}

// The same; `lacks` is told whether a member of the document lacks what T writes there.
template <class T>
[[nodiscard]] T decodeStrict(const Value& v, std::vector<std::string>& unknown, Lacks& lacks) {
  T out{};
  Decoding how{.unknown = &unknown, .lacks = &lacks};
  Codec<T>::decode(v, out, how);
  return out;
}

template <class T>
[[nodiscard]] Value encode(const T& t) {
  return Codec<T>::encode(t);
}

template <class T>
[[nodiscard]] bool same(const T& a, const T& b) {
  return Codec<T>::equal(a, b);
}

// What a patch from one state of a described struct to another is made of (Shape::differences).
template <class T>
[[nodiscard]] Differences differences(const T& before, const T& after, const Value* raw) {
  return shapeOf<T>().differences(&before, &after, raw);
}

// The merge patch from one state of a struct to another; an empty object when nothing changed.
template <class T>
[[nodiscard]] Value diff(const T& before, const T& after) {
  return mergePatch(encode(before), encode(after));
}

// For read-modify-write of a document that may hold members T does not know: `rawBefore` is the document that `before`
// was decoded from. Unknown members survive, also inside the items of arrays that changed.
template <class T>
[[nodiscard]] Value diffMergePatch(const T& before, const T& after, const Value& rawBefore) {
  return mergePatchKeeping(encode(before), encode(after), rawBefore);
}

// The OpenAPI v3 structural schema of T.
template <class T>
[[nodiscard]] Object schemaOf() {
  Object out;
  Codec<T>::schema(out);
  return out;
}

}  // namespace ingot::json
