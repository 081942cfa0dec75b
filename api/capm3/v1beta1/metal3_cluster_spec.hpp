// What a Metal3Cluster and a Metal3ClusterTemplate of v1beta1 ask for.
#pragma once

#include "api/capm3/v1beta1/references.hpp"

namespace ingot::api::capm3::v1beta1 {

struct APIEndpoint {
  std::string host;
  std::int64_t port = 0;

  static void describe(auto& v) {
    v.field("host", &APIEndpoint::host).required().doc("Host name or IP address of the API server.");
    v.field("port", &APIEndpoint::port).required().doc("TCP port of the API server.");
  }
  friend bool operator==(const APIEndpoint&, const APIEndpoint&) = default;
};

struct FailureDomain {
  bool controlPlane = false;
  std::map<std::string, std::string> attributes;

  static void describe(auto& v) {
    v.field("controlPlane", &FailureDomain::controlPlane)
        .doc("Whether the failure domain is suitable for control plane machines.");
    v.field("attributes", &FailureDomain::attributes).doc("Further attributes of the failure domain.");
  }
  friend bool operator==(const FailureDomain&, const FailureDomain&) = default;
};

using FailureDomains = std::map<std::string, FailureDomain>;

struct Metal3ClusterSpec {
  APIEndpoint controlPlaneEndpoint;
  std::optional<bool> noCloudProvider;  // deprecated: the opposite of cloudProviderEnabled
  std::optional<bool> cloudProviderEnabled;
  FailureDomains failureDomains;

  static void describe(auto& v) {
    using S = Metal3ClusterSpec;
    v.doc("Desired state of the cluster's infrastructure.");
    v.field("controlPlaneEndpoint", &S::controlPlaneEndpoint)
        .always()
        .doc("Endpoint of the control plane: host and port.");
    v.field("noCloudProvider", &S::noCloudProvider).doc("Deprecated: use cloudProviderEnabled.");
    v.field("cloudProviderEnabled", &S::cloudProviderEnabled)
        .doc("Whether an external cloud provider sets the provider IDs of the nodes.");
    v.field("failureDomains", &S::failureDomains).doc("Failure domains by name.");
  }
  friend bool operator==(const Metal3ClusterSpec&, const Metal3ClusterSpec&) = default;
};

}  // namespace ingot::api::capm3::v1beta1
