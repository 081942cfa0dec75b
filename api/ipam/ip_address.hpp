// IPAddress, ipam.metal3.io/v1alpha1: an address in use (spec/ipam.md §4).
#pragma once

#include "api/ipam/patterns.hpp"
#include "kube/core/object_reference.hpp"

namespace ingot::api::ipam {

struct IPAddressSpec {
  kube::ObjectReference claim, pool;
  int prefix = 0;
  std::optional<std::string> gateway;
  std::string address;
  std::vector<std::string> dnsServers;

  static void describe(auto& v) {
    using S = IPAddressSpec;
    v.doc("The address and what goes with it.");
    v.field("claim", &S::claim).required().mapType("atomic").doc("The claim that has it.");
    v.field("pool", &S::pool).required().mapType("atomic").doc("The pool that gave it.");
    v.field("prefix", &S::prefix).maximum(128).doc("Prefix length of its network.");
    v.field("gateway", &S::gateway).pattern(kAddressPattern).doc("Gateway of its network.");
    v.field("address", &S::address).required().pattern(kAddressPattern).doc("Allocated IP address.");
    v.field("dnsServers", &S::dnsServers)
        .itemSchema("pattern", json::Value(kAddressPattern))
        .doc("DNS servers of its network.");
  }
  friend bool operator==(const IPAddressSpec&, const IPAddressSpec&) = default;
};

struct IPAddress {
  kube::ObjectMeta metadata;
  IPAddressSpec spec;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("An address that a pool gave to a claim.");
    v.field("metadata", &IPAddress::metadata);
    v.field("spec", &IPAddress::spec);
  }
  friend bool operator==(const IPAddress&, const IPAddress&) = default;
};

}  // namespace ingot::api::ipam

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::ipam::IPAddress>();
