// core/v1 Namespace.
#pragma once

#include "json/describe.hpp"
#include "kube/core/kind.hpp"

#include <string>

namespace ingot::kube {

struct NamespaceStatus {
  std::string phase;  // Active | Terminating

  static void describe(auto& v) { v.field("phase", &NamespaceStatus::phase); }
  friend bool operator==(const NamespaceStatus&, const NamespaceStatus&) = default;
};

struct Namespace {
  ObjectMeta metadata;
  NamespaceStatus status;

  static const KindInfo info;

  static void describe(auto& v) {
    v.field("metadata", &Namespace::metadata);
    v.field("status", &Namespace::status);
  }
  friend bool operator==(const Namespace&, const Namespace&) = default;
};

}  // namespace ingot::kube

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::kube::Namespace>();
