// BareMetalHost, metal3.io/v1alpha1, and the questions that everyone asks of it (spec/baremetalhost.md §2.1).
#pragma once

#include "api/bmh/spec.hpp"
#include "api/bmh/status.hpp"
#include "kube/core/kind.hpp"
#include "kube/core/object_meta.hpp"

namespace ingot::api {

struct BareMetalHost {
  kube::ObjectMeta metadata;
  BareMetalHostSpec spec;
  BareMetalHostStatus status;

  static const kube::KindInfo info;

  [[nodiscard]] bool hasBmcDetails() const;
  [[nodiscard]] bool inspectionDisabled() const;  // by the field or by the annotation
  [[nodiscard]] bool needsProvisioning() const;
  [[nodiscard]] bool wasProvisioned() const;
  [[nodiscard]] bool needsHardwareInspection() const;
  [[nodiscard]] std::string effectiveBootMode() const;  // UEFI when none is given

  static void describe(auto& v) {
    v.doc("A physical server.");
    v.field("metadata", &BareMetalHost::metadata);
    v.field("spec", &BareMetalHost::spec);
    v.field("status", &BareMetalHost::status);
  }
  friend bool operator==(const BareMetalHost&, const BareMetalHost&) = default;
};

}  // namespace ingot::api

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::BareMetalHost>();
