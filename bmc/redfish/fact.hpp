// A member of a Redfish resource that no reading hangs on. Of another type than Redfish says (a text for an object) it
// counts as left out; a number is a text as well.
#pragma once

#include "json/describe.hpp"

#include <optional>
#include <string>

namespace ingot::bmc::redfish {

template <class T>
struct Fact : std::optional<T> {
  using std::optional<T>::optional;
};

}  // namespace ingot::bmc::redfish

namespace ingot::json {

template <class T>
struct Codec<bmc::redfish::Fact<T>> {
  using Fact = bmc::redfish::Fact<T>;
  static void decode(const Value& v, Fact& out, Decoding& how) {
    out.reset();
    if (v.is_null()) return;
    try {
      Codec<T>::decode(v, out.emplace(), how);
    } catch (const DecodeError&) {
      out.reset();
      if constexpr (std::is_same_v<T, std::string>)
        if (v.is_number()) out.emplace(boost::json::serialize(v));
    }
  }
  static Value encode(const Fact& fact) { return Codec<std::optional<T>>::encode(fact); }
  static bool empty(const Fact& fact) { return !fact.has_value(); }
  static bool equal(const Fact& a, const Fact& b) { return Codec<std::optional<T>>::equal(a, b); }
  static void schema(Object& into) { Codec<T>::schema(into); }
};

}  // namespace ingot::json
