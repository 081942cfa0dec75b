// IPAddressClaim, ipam.cluster.x-k8s.io/v1beta2 (spec/ipam.md §5.1).
#pragma once

#include "api/capi/legacy_condition.hpp"
#include "kube/core/condition.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capi_ipam {

struct PoolReference {
  std::string name, kind, apiGroup;

  static void describe(auto& v) {
    v.field("name", &PoolReference::name).required();
    v.field("kind", &PoolReference::kind).required();
    v.field("apiGroup", &PoolReference::apiGroup).required();
  }
  friend bool operator==(const PoolReference&, const PoolReference&) = default;
};

struct NameReference {
  std::string name;

  static void describe(auto& v) { v.field("name", &NameReference::name).required(); }
  friend bool operator==(const NameReference&, const NameReference&) = default;
};

struct IPAddressClaimSpec {
  std::string clusterName;
  PoolReference poolRef;

  static void describe(auto& v) {
    v.field("clusterName", &IPAddressClaimSpec::clusterName);
    v.field("poolRef", &IPAddressClaimSpec::poolRef).required();
  }
  friend bool operator==(const IPAddressClaimSpec&, const IPAddressClaimSpec&) = default;
};

struct ClaimLegacyStatus {
  std::vector<capi::LegacyCondition> conditions;

  static void describe(auto& v) { v.field("conditions", &ClaimLegacyStatus::conditions); }
  friend bool operator==(const ClaimLegacyStatus&, const ClaimLegacyStatus&) = default;
};

struct ClaimDeprecated {
  ClaimLegacyStatus v1beta1;

  static void describe(auto& v) { v.field("v1beta1", &ClaimDeprecated::v1beta1); }
  friend bool operator==(const ClaimDeprecated&, const ClaimDeprecated&) = default;
};

struct IPAddressClaimStatus {
  NameReference addressRef;  // absent when the name is empty
  std::vector<kube::Condition> conditions;
  ClaimDeprecated deprecated;

  static void describe(auto& v) {
    v.field("addressRef", &IPAddressClaimStatus::addressRef);
    v.field("conditions", &IPAddressClaimStatus::conditions);
    v.field("deprecated", &IPAddressClaimStatus::deprecated);
  }
  friend bool operator==(const IPAddressClaimStatus&, const IPAddressClaimStatus&) = default;
};

struct IPAddressClaim {
  kube::ObjectMeta metadata;
  IPAddressClaimSpec spec;
  IPAddressClaimStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.field("metadata", &IPAddressClaim::metadata);
    v.field("spec", &IPAddressClaim::spec);
    v.field("status", &IPAddressClaim::status);
  }
  friend bool operator==(const IPAddressClaim&, const IPAddressClaim&) = default;
};

}  // namespace ingot::api::capi_ipam

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi_ipam::IPAddressClaim>();
