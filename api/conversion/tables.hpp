// What moves where in the kinds of a group, which exist in v1beta1 and in v1beta2.
#pragma once

#include "api/conversion/move.hpp"

namespace ingot::api::conversion {

// Lines that start from an object of the document.
struct Part {
  std::string_view root;
  std::span<const Move> moves;
  bool alwaysInV1beta1 = false;  // the object is there in v1beta1 even when v1beta2 has none
};

// What only v1beta2 can say, taken from the conversion-data annotation on the way up.
struct Restored {
  enum class When {
    kept,       // as it was
    wasFalse,   // false as it was, where the conversion left nothing
    wasAbsent,  // absent as it was, whatever v1beta1 says: upstream does so, too
  };
  std::string_view path;
  When when;
};

struct KindTable {
  std::string_view kind;
  json::Value (*asV1beta1)(const json::Value&);  // as our struct writes it: unknown members gone, defaults in place
  json::Value (*asV1beta2)(const json::Value&);
  std::span<const Part> parts;
  bool keepsData = false;  // in the conversion-data annotation
  std::span<const Restored> restored{};
  std::span<const std::string_view> besideIt{};  // references that v1beta1 gives the object's own namespace
};

struct GroupTables {
  std::string_view group;
  std::span<const KindTable> kinds;
};

}  // namespace ingot::api::conversion
