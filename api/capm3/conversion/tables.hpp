// What moves where, kind by kind (spec/capm3.md §4).
#pragma once

#include "api/capm3/conversion/move.hpp"

namespace ingot::api::capm3 {

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
};

// nullptr: no such kind.
[[nodiscard]] const KindTable* tableFor(std::string_view kind);
[[nodiscard]] std::span<const KindTable> allTables();

}  // namespace ingot::api::capm3
