// IPAddress, ipam.cluster.x-k8s.io/v1beta1 (spec/ipam.md §5.2).
#pragma once

#include "api/capi_ipam/v1beta1/ip_address_claim.hpp"

namespace ingot::api::capi_ipam::v1beta1 {

struct IPAddressSpec {
  NameReference claimRef;
  PoolReference poolRef;
  std::string address;
  int prefix = 0;
  std::string gateway;

  static void describe(auto& v) {
    using S = IPAddressSpec;
    v.doc("Desired state of the address.");
    v.field("claimRef", &S::claimRef).required().mapType("atomic").doc("Claim that it is for.");
    v.field("poolRef", &S::poolRef).required().mapType("atomic").doc("Pool that it comes from.");
    v.field("address", &S::address).required().minLength(1).maxLength(39).doc("The address.");
    v.field("prefix", &S::prefix).required().doc("Length of the prefix of its network.");
    v.field("gateway", &S::gateway).minLength(1).maxLength(39).doc("Gateway of its network.");
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
    v.field("spec", &IPAddress::spec).always();
  }
  friend bool operator==(const IPAddress&, const IPAddress&) = default;
};

}  // namespace ingot::api::capi_ipam::v1beta1

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi_ipam::v1beta1::IPAddress>();
