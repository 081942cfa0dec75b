// HardwareData, metal3.io/v1alpha1: what inspection found in the host of the same name.
#pragma once

#include "api/bmh/hardware_details.hpp"
#include "kube/core/kind.hpp"
#include "kube/core/object_meta.hpp"

namespace ingot::api {

struct HardwareDataSpec {
  std::optional<HardwareDetails> hardware;

  static void describe(auto& v) {
    v.doc("Hardware of the host.");
    v.field("hardware", &HardwareDataSpec::hardware).doc("Hardware found by inspection.");
  }
  friend bool operator==(const HardwareDataSpec&, const HardwareDataSpec&) = default;
};

struct HardwareData {
  kube::ObjectMeta metadata;
  HardwareDataSpec spec;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("The hardware of the BareMetalHost of the same name.");
    v.field("metadata", &HardwareData::metadata);
    v.field("spec", &HardwareData::spec);
  }
  friend bool operator==(const HardwareData&, const HardwareData&) = default;
};

}  // namespace ingot::api

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::HardwareData>();
