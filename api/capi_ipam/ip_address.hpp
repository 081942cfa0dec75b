// IPAddress, ipam.cluster.x-k8s.io/v1beta2, complete (spec/ipam.md §5.2).
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
    v.doc("Desired state of the address.");
    v.field("claimRef", &S::claimRef).requiredButOmitted().doc("Claim that it is for.");
    v.field("poolRef", &S::poolRef).requiredButOmitted().doc("Pool that it comes from.");
    capi::text(v.field("address", &S::address), 39).requiredButOmitted().doc("The address.");
    capi::int32(v.field("prefix", &S::prefix))
        .requiredButOmitted()
        .minimum(0)
        .maximum(128)
        .doc("Length of the prefix of its network.");
    capi::text(v.field("gateway", &S::gateway), 39).doc("Gateway of its network.");
  }
  friend bool operator==(const IPAddressSpec&, const IPAddressSpec&) = default;
};

struct IPAddress {
  kube::ObjectMeta metadata;
  IPAddressSpec spec;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("An address that a pool has given to a claim.");
    v.field("metadata", &IPAddress::metadata);
    v.field("spec", &IPAddress::spec).requiredButOmitted();
  }
  friend bool operator==(const IPAddress&, const IPAddress&) = default;
};

}  // namespace ingot::api::capi_ipam

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi_ipam::IPAddress>();
