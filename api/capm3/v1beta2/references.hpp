// References and status parts that several kinds of v1beta2 share (spec/capm3.md §3.1).
#pragma once

#include "api/bmh/references.hpp"
#include "api/capi/legacy_condition.hpp"
#include "api/capm3/v1beta2/limits.hpp"

namespace ingot::api::capm3::v1beta2 {

// Metal3ObjectRef.
struct ObjectRef {
  std::string name, namespace_;

  static void describe(auto& v) {
    v.mapType("atomic");
    v.field("name", &ObjectRef::name).minLength(1).maxLength(253).doc("Name of the object.");
    v.field("namespace", &ObjectRef::namespace_).minLength(1).maxLength(253).doc("Namespace of the object.");
  }
  friend bool operator==(const ObjectRef&, const ObjectRef&) = default;
};

// What Cluster API reads to know that the infrastructure is there.
struct Initialization {
  std::optional<bool> provisioned;

  static void describe(auto& v) {
    v.schema("minProperties", 1);
    v.field("provisioned", &Initialization::provisioned)
        .doc("True once the infrastructure is provisioned; never reset.");
  }
  friend bool operator==(const Initialization&, const Initialization&) = default;
};

}  // namespace ingot::api::capm3::v1beta2
