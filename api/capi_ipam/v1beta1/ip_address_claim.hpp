// IPAddressClaim, ipam.cluster.x-k8s.io/v1beta1 (spec/ipam.md §5.1).
#pragma once

#include "api/capi/shared.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capi_ipam::v1beta1 {

struct PoolReference {
  std::optional<std::string> apiGroup;
  std::string kind, name;

  static void describe(auto& v) {
    v.field("apiGroup", &PoolReference::apiGroup).doc("API group of the pool.");
    v.field("kind", &PoolReference::kind).required().doc("Kind of the pool.");
    v.field("name", &PoolReference::name).required().doc("Name of the pool.");
  }
  friend bool operator==(const PoolReference&, const PoolReference&) = default;
};

struct NameReference {
  std::string name;

  static void describe(auto& v) { v.field("name", &NameReference::name).defaultTo("").doc("Name of the object."); }
  friend bool operator==(const NameReference&, const NameReference&) = default;
};

struct IPAddressClaimSpec {
  std::string clusterName;
  PoolReference poolRef;

  static void describe(auto& v) {
    using S = IPAddressClaimSpec;
    v.doc("Desired state of the claim.");
    capi::text(v.field("clusterName", &S::clusterName), 63).doc("Name of the Cluster that it belongs to.");
    v.field("poolRef", &S::poolRef).required().mapType("atomic").doc("Pool that the address is to come from.");
  }
  friend bool operator==(const IPAddressClaimSpec&, const IPAddressClaimSpec&) = default;
};

// status.v1beta2: what the next version has in another form.
struct NewerClaimStatus {
  std::vector<kube::Condition> conditions;

  static void describe(auto& v) { capi::newConditions(v.field("conditions", &NewerClaimStatus::conditions)); }
  friend bool operator==(const NewerClaimStatus&, const NewerClaimStatus&) = default;
};

struct IPAddressClaimStatus {
  NameReference addressRef;
  std::vector<capi::LegacyCondition> conditions;
  std::optional<NewerClaimStatus> v1beta2;

  static void describe(auto& v) {
    using S = IPAddressClaimStatus;
    v.doc("Observed state of the claim.");
    v.field("addressRef", &S::addressRef).always().mapType("atomic").doc("The address that it got.");
    v.field("conditions", &S::conditions).doc("Conditions in the v1beta1 form of Cluster API.");
    v.field("v1beta2", &S::v1beta2).doc("Status in the form of the next API version.");
  }
  friend bool operator==(const IPAddressClaimStatus&, const IPAddressClaimStatus&) = default;
};

struct IPAddressClaim {
  kube::ObjectMeta metadata;
  IPAddressClaimSpec spec;
  IPAddressClaimStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("A wish for an address of a pool.");
    v.field("metadata", &IPAddressClaim::metadata);
    v.field("spec", &IPAddressClaim::spec).always();
    v.field("status", &IPAddressClaim::status).always();
  }
  friend bool operator==(const IPAddressClaim&, const IPAddressClaim&) = default;
};

}  // namespace ingot::api::capi_ipam::v1beta1

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi_ipam::v1beta1::IPAddressClaim>();
