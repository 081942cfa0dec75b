// IPAddress, ipam.cluster.x-k8s.io/v1beta2 (spec/ipam.md §5.2).
#pragma once

#include "api/capi_ipam/ip_address_claim.hpp"

namespace ingot::api::capi_ipam {

struct IPAddressSpec {
  NameReference claimRef;
  PoolReference poolRef;
  std::string address;
  std::optional<int> prefix;
  std::string gateway;

  static void describe(auto& v) {
    using S = IPAddressSpec;
    v.field("claimRef", &S::claimRef).required();
    v.field("poolRef", &S::poolRef).required();
    v.field("address", &S::address).required();
    v.field("prefix", &S::prefix).requiredButOmitted();
    v.field("gateway", &S::gateway);
  }
  friend bool operator==(const IPAddressSpec&, const IPAddressSpec&) = default;
};

struct IPAddress {
  kube::ObjectMeta metadata;
  IPAddressSpec spec;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.field("metadata", &IPAddress::metadata);
    v.field("spec", &IPAddress::spec);
  }
  friend bool operator==(const IPAddress&, const IPAddress&) = default;
};

}  // namespace ingot::api::capi_ipam

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi_ipam::IPAddress>();
