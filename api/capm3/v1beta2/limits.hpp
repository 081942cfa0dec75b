// Limits that v1beta2 puts on most texts and lists.
#pragma once

#include "api/capm3/shared.hpp"

namespace ingot::api::capm3::v1beta2 {

inline json::FieldOptions& text(json::FieldOptions&& field) { return field.minLength(1).maxLength(512); }

inline json::FieldOptions& listBy(std::string_view key, json::FieldOptions&& field) {
  return field.listMap({json::Value(key)}).minItems(1).maxItems(512);
}

inline json::FieldOptions& int32(json::FieldOptions&& field, int least) { return field.format("int32").minimum(least); }

inline json::FieldOptions& mtu(json::FieldOptions&& field) {
  return int32(std::move(field), 1280).maximum(9000).defaultTo(1500).doc("MTU of the interface.");
}

}  // namespace ingot::api::capm3::v1beta2
