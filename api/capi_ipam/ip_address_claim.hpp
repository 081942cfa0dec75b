// IPAddressClaim, ipam.cluster.x-k8s.io/v1beta2, complete (spec/ipam.md §5.1).
#pragma once

#include "api/capi/v1beta2/references.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capi_ipam {

struct PoolReference {
  std::string name, kind, apiGroup;

  static void describe(auto& v) {
    using S = PoolReference;
    capi::v1beta2::dnsName(v.field("name", &S::name)).requiredButOmitted().doc("Name of the pool.");
    capi::v1beta2::kindName(v.field("kind", &S::kind)).requiredButOmitted();
    capi::v1beta2::dnsName(v.field("apiGroup", &S::apiGroup)).requiredButOmitted().doc("API group of the pool.");
  }
  friend bool operator==(const PoolReference&, const PoolReference&) = default;
};

struct NameReference {
  std::string name;

  static void describe(auto& v) {
    capi::v1beta2::dnsName(v.field("name", &NameReference::name)).requiredButOmitted().doc("Name of the object.");
  }
  friend bool operator==(const NameReference&, const NameReference&) = default;
};

struct IPAddressClaimSpec {
  std::string clusterName;
  PoolReference poolRef;

  static void describe(auto& v) {
    using S = IPAddressClaimSpec;
    v.doc("Desired state of the claim.");
    capi::text(v.field("clusterName", &S::clusterName), 63).doc("Name of the Cluster that it belongs to.");
    v.field("poolRef", &S::poolRef).requiredButOmitted().doc("Pool that the address is to come from.");
  }
  friend bool operator==(const IPAddressClaimSpec&, const IPAddressClaimSpec&) = default;
};

struct ClaimLegacyStatus {
  std::vector<capi::LegacyCondition> conditions;

  static void describe(auto& v) {
    v.field("conditions", &ClaimLegacyStatus::conditions).doc("Conditions in the form of v1beta1.");
  }
  friend bool operator==(const ClaimLegacyStatus&, const ClaimLegacyStatus&) = default;
};

struct ClaimDeprecated {
  ClaimLegacyStatus v1beta1;

  static void describe(auto& v) {
    v.field("v1beta1", &ClaimDeprecated::v1beta1).doc("Fields of v1beta1 that v1beta2 no longer has.");
  }
  friend bool operator==(const ClaimDeprecated&, const ClaimDeprecated&) = default;
};

struct IPAddressClaimStatus {
  NameReference addressRef;  // absent when the name is empty
  std::vector<kube::Condition> conditions;
  ClaimDeprecated deprecated;

  static void describe(auto& v) {
    using S = IPAddressClaimStatus;
    v.doc("Observed state of the claim.").schema("minProperties", 1);
    v.field("addressRef", &S::addressRef).doc("The address that it got.");
    capi::newConditions(v.field("conditions", &S::conditions));
    v.field("deprecated", &S::deprecated).doc("Fields of older API versions that this one no longer uses.");
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
    v.field("spec", &IPAddressClaim::spec).requiredButOmitted();
    v.field("status", &IPAddressClaim::status);
  }
  friend bool operator==(const IPAddressClaim&, const IPAddressClaim&) = default;
};

}  // namespace ingot::api::capi_ipam

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi_ipam::IPAddressClaim>();
