// core/v1 ConfigMap.
#pragma once

#include "json/describe.hpp"
#include "kube/core/kind.hpp"

#include <map>
#include <optional>
#include <string>

namespace ingot::kube {

struct ConfigMap {
  ObjectMeta metadata;
  std::map<std::string, std::string> data;
  std::map<std::string, json::Bytes> binaryData;
  std::optional<bool> immutable;

  static const KindInfo info;

  static void describe(auto& v) {
    v.field("metadata", &ConfigMap::metadata);
    v.field("data", &ConfigMap::data);
    v.field("binaryData", &ConfigMap::binaryData);
    v.field("immutable", &ConfigMap::immutable);
  }
  friend bool operator==(const ConfigMap&, const ConfigMap&) = default;
};

}  // namespace ingot::kube

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::kube::ConfigMap>();
