// Metal3DataTemplate, infrastructure.cluster.x-k8s.io/v1beta1 (spec/capm3.md §3.4).
#pragma once

#include "api/capm3/v1beta1/meta_data.hpp"
#include "api/capm3/v1beta1/network_data.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capm3::v1beta1 {

struct Metal3DataTemplateSpec {
  std::string clusterName;
  std::string templateReference;  // deprecated, unused
  std::optional<MetaData> metaData;
  std::optional<NetworkData> networkData;

  static void describe(auto& v) {
    using S = Metal3DataTemplateSpec;
    v.doc("Meta data and network data to render for each machine.");
    v.field("clusterName", &S::clusterName).required().minLength(1).doc("Cluster that the template belongs to.");
    v.field("templateReference", &S::templateReference).doc("Deprecated: no longer used.");
    v.field("metaData", &S::metaData).doc("Template of the meta data.");
    v.field("networkData", &S::networkData).doc("Template of the network data.");
  }
  friend bool operator==(const Metal3DataTemplateSpec&, const Metal3DataTemplateSpec&) = default;
};

struct Metal3DataTemplateStatus {
  std::optional<base::WallTime> lastUpdated;
  std::map<std::string, std::int64_t> indexes;  // claim name -> index

  static void describe(auto& v) {
    using S = Metal3DataTemplateStatus;
    v.field("lastUpdated", &S::lastUpdated).doc("Time of the last update of the status.");
    v.field("indexes", &S::indexes).doc("Allocated indexes.");
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
    v.field("spec", &Metal3DataTemplate::spec).always();
    v.field("status", &Metal3DataTemplate::status).always();
  }
  friend bool operator==(const Metal3DataTemplate&, const Metal3DataTemplate&) = default;
};

}  // namespace ingot::api::capm3::v1beta1

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta1::Metal3DataTemplate>();
