// Converts objects by the tables of their group. Pure. metadata passes through untouched, but for the annotation
// cluster.x-k8s.io/conversion-data, which keeps for some kinds what v1beta1 cannot say.
#pragma once

#include "api/conversion/error.hpp"
#include "api/conversion/tables.hpp"
#include "json/describe.hpp"

namespace ingot::api::conversion {

// `object` in `version` ("v1beta1" or "v1beta2"); the same object when it has that version already, unknown members
// included. Throws ConversionError. Of one that is given away nothing is copied that both versions have: metadata with
// their managedFields are often the larger part.
[[nodiscard]] json::Value convert(const GroupTables& tables, json::Value object, std::string_view version);

// A document as a version's struct writes it.
template <class T>
[[nodiscard]] json::Value asWrittenBy(const json::Value& object) {
  return json::encode(json::decode<T>(object));
}

}  // namespace ingot::api::conversion
