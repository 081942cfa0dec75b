// Metal3Cluster, infrastructure.cluster.x-k8s.io/v1beta1.
#pragma once

#include "api/capm3/v1beta1/metal3_cluster_spec.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capm3::v1beta1 {

struct Metal3ClusterStatus {
  std::optional<base::WallTime> lastUpdated;
  std::optional<std::string> failureReason, failureMessage;
  bool ready = false;
  FailureDomains failureDomains;
  std::vector<capi::LegacyCondition> conditions;
  std::optional<NewerStatus> v1beta2;

  static void describe(auto& v) {
    using S = Metal3ClusterStatus;
    v.doc("Observed state of the cluster's infrastructure.");
    v.field("lastUpdated", &S::lastUpdated).doc("Time of the last update of the status.");
    v.field("failureReason", &S::failureReason)
        .doc("Machine-readable reason of a failure that cannot be recovered from.");
    v.field("failureMessage", &S::failureMessage).doc("Description of a failure that cannot be recovered from.");
    v.field("ready", &S::ready).always().doc("True once the infrastructure is provisioned.");
    v.field("failureDomains", &S::failureDomains).doc("Failure domains by name.");
    v.field("conditions", &S::conditions).doc("Conditions in the v1beta1 form of Cluster API.");
    v.field("v1beta2", &S::v1beta2).doc("Status in the form of the next API version.");
  }
  friend bool operator==(const Metal3ClusterStatus&, const Metal3ClusterStatus&) = default;
};

struct Metal3Cluster {
  kube::ObjectMeta metadata;
  Metal3ClusterSpec spec;
  Metal3ClusterStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("The infrastructure of a Cluster API Cluster on bare metal.");
    v.field("metadata", &Metal3Cluster::metadata);
    v.field("spec", &Metal3Cluster::spec).always();
    v.field("status", &Metal3Cluster::status).always();
  }
  friend bool operator==(const Metal3Cluster&, const Metal3Cluster&) = default;
};

}  // namespace ingot::api::capm3::v1beta1

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta1::Metal3Cluster>();
