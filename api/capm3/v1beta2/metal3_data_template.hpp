// Metal3DataTemplate, infrastructure.cluster.x-k8s.io/v1beta2 (spec/capm3.md §3.4).
#pragma once

#include "api/capm3/v1beta2/meta_data.hpp"
#include "api/capm3/v1beta2/network_data.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capm3::v1beta2 {

struct Metal3DataTemplateSpec {
  std::string clusterName;  // deprecated, unused
  std::optional<MetaData> metaData;
  std::optional<NetworkData> networkData;

  static void describe(auto& v) {
    using S = Metal3DataTemplateSpec;
    v.doc("Meta data and network data to render for each machine.");
    v.field("clusterName", &S::clusterName).maxLength(512).doc("Deprecated: no longer used.");
    v.field("metaData", &S::metaData).doc("Template of the meta data.");
    v.field("networkData", &S::networkData).doc("Template of the network data.");
  }
  friend bool operator==(const Metal3DataTemplateSpec&, const Metal3DataTemplateSpec&) = default;
};

// Which claim has which index.
struct DataIndex {
  std::string name;
  std::optional<int> index;

  static void describe(auto& v) {
    text(v.field("name", &DataIndex::name)).requiredButOmitted().doc("Name of the Metal3DataClaim.");
    int32(v.field("index", &DataIndex::index), 0).requiredButOmitted().doc("Index of its Metal3Data.");
  }
  friend bool operator==(const DataIndex&, const DataIndex&) = default;
};

struct Metal3DataTemplateStatus {
  std::optional<base::WallTime> lastUpdated;
  std::vector<DataIndex> indexes;

  static void describe(auto& v) {
    using S = Metal3DataTemplateStatus;
    v.field("lastUpdated", &S::lastUpdated).doc("Time of the last update of the status.");
    listBy("index", v.field("indexes", &S::indexes)).doc("Allocated indexes.");
  }
  friend bool operator==(const Metal3DataTemplateStatus&, const Metal3DataTemplateStatus&) = default;
};

struct Metal3DataTemplate {
  kube::ObjectMeta metadata;
  Metal3DataTemplateSpec spec;
  Metal3DataTemplateStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("A template for the meta data and network data of machines.");
    v.field("metadata", &Metal3DataTemplate::metadata);
    v.field("spec", &Metal3DataTemplate::spec);
    v.field("status", &Metal3DataTemplate::status).always();
  }
  friend bool operator==(const Metal3DataTemplate&, const Metal3DataTemplate&) = default;
};

}  // namespace ingot::api::capm3::v1beta2

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta2::Metal3DataTemplate>();
