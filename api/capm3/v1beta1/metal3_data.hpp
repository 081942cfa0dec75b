// Metal3Data, infrastructure.cluster.x-k8s.io/v1beta1: the data of one machine (spec/capm3.md §3.5).
#pragma once

#include "api/capm3/v1beta1/references.hpp"
#include "kube/core/object_reference.hpp"

namespace ingot::api::capm3::v1beta1 {

struct Metal3DataSpec {
  std::int64_t index = 0;
  std::optional<SecretReference> metaData, networkData;
  kube::ObjectReference claim, template_;
  std::string templateReference;  // deprecated, unused

  static void describe(auto& v) {
    using S = Metal3DataSpec;
    v.doc("Origin of the data and the Secrets that hold them.");
    v.field("index", &S::index).doc("Index of the machine, unique in its template.");
    v.field("metaData", &S::metaData).doc("Secret with the meta data.");
    v.field("networkData", &S::networkData).doc("Secret with the network data.");
    v.field("claim", &S::claim).required().mapType("atomic").doc("The Metal3DataClaim that this answers.");
    v.field("template", &S::template_)
        .required()
        .mapType("atomic")
        .doc("Reference to the Metal3DataTemplate that the data are rendered from.");
    v.field("templateReference", &S::templateReference).doc("Deprecated: no longer used.");
  }
  friend bool operator==(const Metal3DataSpec&, const Metal3DataSpec&) = default;
};

struct Metal3DataStatus {
  bool ready = false;
  std::optional<std::string> errorMessage;

  static void describe(auto& v) {
    v.field("ready", &Metal3DataStatus::ready).always().doc("True once the Secrets are rendered.");
    v.field("errorMessage", &Metal3DataStatus::errorMessage)
        .doc("Error message when the data cannot be rendered; empty otherwise.");
  }
  friend bool operator==(const Metal3DataStatus&, const Metal3DataStatus&) = default;
};

struct Metal3Data {
  kube::ObjectMeta metadata;
  Metal3DataSpec spec;
  Metal3DataStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("The meta data and network data of one machine.");
    v.field("metadata", &Metal3Data::metadata);
    v.field("spec", &Metal3Data::spec).always();
    v.field("status", &Metal3Data::status).always();
  }
  friend bool operator==(const Metal3Data&, const Metal3Data&) = default;
};

}  // namespace ingot::api::capm3::v1beta1

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta1::Metal3Data>();
