// Metal3Data, infrastructure.cluster.x-k8s.io/v1beta2: the data of one machine (spec/capm3.md §3.5).
#pragma once

#include "api/capm3/v1beta2/references.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capm3::v1beta2 {

struct Metal3DataSpec {
  std::optional<int> index;
  std::optional<SecretReference> metaData, networkData;
  std::optional<ObjectRef> claim, template_;

  static void describe(auto& v) {
    using S = Metal3DataSpec;
    v.doc("Origin of the data and the Secrets that hold them.");
    int32(v.field("index", &S::index), 0).doc("Index of the machine, unique in its template.");
    v.field("metaData", &S::metaData).doc("Secret with the meta data.");
    v.field("networkData", &S::networkData).doc("Secret with the network data.");
    v.field("claim", &S::claim).doc("The Metal3DataClaim that this answers.");
    v.field("template", &S::template_).doc("Reference to the Metal3DataTemplate that the data are rendered from.");
  }
  friend bool operator==(const Metal3DataSpec&, const Metal3DataSpec&) = default;
};

struct Metal3DataStatus {
  std::optional<bool> ready;
  std::string errorMessage;

  static void describe(auto& v) {
    v.field("ready", &Metal3DataStatus::ready).doc("True once the Secrets are rendered.");
    text(v.field("errorMessage", &Metal3DataStatus::errorMessage))
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

}  // namespace ingot::api::capm3::v1beta2

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta2::Metal3Data>();
