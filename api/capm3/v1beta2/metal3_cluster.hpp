// Metal3Cluster, infrastructure.cluster.x-k8s.io/v1beta2 (spec/capm3.md §3.2).
#pragma once

#include "api/capm3/v1beta2/metal3_cluster_spec.hpp"
#include "kube/core/condition.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capm3::v1beta2 {

struct Metal3ClusterLegacyStatus {
  std::vector<capi::LegacyCondition> conditions;
  std::optional<std::string> failureReason, failureMessage;

  static void describe(auto& v) {
    using S = Metal3ClusterLegacyStatus;
    v.field("conditions", &S::conditions).doc("Conditions in the v1beta1 form of Cluster API.");
    v.field("failureReason", &S::failureReason)
        .doc("Machine-readable reason of a failure that cannot be recovered from.");
    v.field("failureMessage", &S::failureMessage)
        .minLength(0)
        .maxLength(1024)
        .doc("Description of a failure that cannot be recovered from.");
  }
  friend bool operator==(const Metal3ClusterLegacyStatus&, const Metal3ClusterLegacyStatus&) = default;
};

struct Metal3ClusterDeprecated {
  std::optional<Metal3ClusterLegacyStatus> v1beta1;

  static void describe(auto& v) {
    v.field("v1beta1", &Metal3ClusterDeprecated::v1beta1).doc("Fields of v1beta1 that v1beta2 no longer has.");
  }
  friend bool operator==(const Metal3ClusterDeprecated&, const Metal3ClusterDeprecated&) = default;
};

struct Metal3ClusterStatus {
  std::vector<kube::Condition> conditions;
  std::optional<base::WallTime> lastUpdated;
  Initialization initialization;
  std::vector<FailureDomain> failureDomains;
  std::optional<Metal3ClusterDeprecated> deprecated;

  static void describe(auto& v) {
    using S = Metal3ClusterStatus;
    v.doc("Observed state of the cluster's infrastructure.");
    v.field("conditions", &S::conditions).listMap({"type"}).maxItems(32).doc("Conditions, one of each type.");
    v.field("lastUpdated", &S::lastUpdated).doc("Time of the last update of the status.");
    v.field("initialization", &S::initialization).doc("Initialization state that Cluster API waits for.");
    v1beta2::failureDomains(v.field("failureDomains", &S::failureDomains));
    v.field("deprecated", &S::deprecated).doc("Fields of older API versions that this one no longer uses.");
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

}  // namespace ingot::api::capm3::v1beta2

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta2::Metal3Cluster>();
