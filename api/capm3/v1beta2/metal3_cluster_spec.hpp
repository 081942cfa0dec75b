// What a Metal3Cluster and a Metal3ClusterTemplate ask for (spec/capm3.md §3.2).
#pragma once

#include "api/capm3/v1beta2/references.hpp"

namespace ingot::api::capm3::v1beta2 {

struct APIEndpoint {
  std::string host;
  int port = 0;

  static void describe(auto& v) {
    v.schema("minProperties", 1);
    text(v.field("host", &APIEndpoint::host)).doc("Host name or IP address of the API server.");
    int32(v.field("port", &APIEndpoint::port), 1).maximum(65535).doc("TCP port; admission fills in 6443.");
  }
  friend bool operator==(const APIEndpoint&, const APIEndpoint&) = default;
};

struct FailureDomain {
  std::string name;
  std::optional<bool> controlPlane;
  std::map<std::string, std::string> attributes;

  static void describe(auto& v) {
    v.field("name", &FailureDomain::name).requiredButOmitted().minLength(1).maxLength(256).doc("Name of the domain.");
    v.field("controlPlane", &FailureDomain::controlPlane)
        .doc("Whether the failure domain is suitable for control plane machines.");
    v.field("attributes", &FailureDomain::attributes).doc("Further attributes of the failure domain.");
  }
  friend bool operator==(const FailureDomain&, const FailureDomain&) = default;
};

inline json::FieldOptions& failureDomains(json::FieldOptions&& field) {
  return field.listMap({"name"}).minItems(1).maxItems(100).doc("Failure domains.");
}

struct Metal3ClusterSpec {
  APIEndpoint controlPlaneEndpoint;
  std::optional<bool> cloudProviderEnabled;
  std::vector<FailureDomain> failureDomains;

  static void describe(auto& v) {
    using S = Metal3ClusterSpec;
    v.doc("Desired state of the cluster's infrastructure.");
    v.field("controlPlaneEndpoint", &S::controlPlaneEndpoint).doc("Endpoint of the control plane: host and port.");
    v.field("cloudProviderEnabled", &S::cloudProviderEnabled)
        .doc("Whether an external cloud provider sets the provider IDs of the nodes.");
    v1beta2::failureDomains(v.field("failureDomains", &S::failureDomains));
  }
  friend bool operator==(const Metal3ClusterSpec&, const Metal3ClusterSpec&) = default;
};

}  // namespace ingot::api::capm3::v1beta2
