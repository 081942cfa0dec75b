// IPPool, ipam.metal3.io/v1alpha1: ranges of addresses to give out (spec/ipam.md §2).
#pragma once

#include "api/ipam/patterns.hpp"
#include "kube/core/kind.hpp"
#include "kube/core/object_meta.hpp"

namespace ingot::api::ipam {

// A range; "" and 0 take what the pool says. Of the addresses, "" is a mistake and absent is not.
struct Range {
  std::optional<std::string> start, end, subnet;
  int prefix = 0;
  std::string gateway;
  std::vector<std::string> dnsServers;

  static void describe(auto& v) {
    v.field("start", &Range::start).pattern(kAddressPattern).doc("First address.");
    v.field("end", &Range::end).pattern(kAddressPattern).doc("Last address.");
    v.field("subnet", &Range::subnet).pattern(kSubnetPattern).doc("All addresses lie in it.");
    v.field("prefix", &Range::prefix).maximum(128).doc("Prefix length, instead of the pool's.");
    v.field("gateway", &Range::gateway).pattern(kAddressPattern).doc("Gateway, instead of the pool's.");
    v.field("dnsServers", &Range::dnsServers)
        .itemSchema("pattern", json::Value(kAddressPattern))
        .doc("DNS servers, instead of the pool's.");
  }
  friend bool operator==(const Range&, const Range&) = default;
};

struct IPPoolSpec {
  std::optional<std::string> clusterName;
  std::vector<Range> pools;
  std::string allocationStrategy;                     // sequential | random; "" works as sequential
  std::map<std::string, std::string> preAllocations;  // claim name -> address
  int prefix = 0;
  std::string gateway;
  std::vector<std::string> dnsServers;
  std::string namePrefix;

  static void describe(auto& v) {
    using S = IPPoolSpec;
    v.doc("The addresses of a pool and how they are given out.");
    v.field("clusterName", &S::clusterName).doc("Cluster that the pool belongs to, if any.");
    v.field("pools", &S::pools).doc("Ranges, used up one after the other.");
    v.field("allocationStrategy", &S::allocationStrategy)
        .oneOf({"sequential", "random"})
        .defaultTo("sequential")
        .doc("Allocation strategy: sequential takes the first free address, random any.");
    v.field("preAllocations", &S::preAllocations)
        .schema("additionalProperties", json::Object{{"type", "string"}, {"pattern", json::Value(kAddressPattern)}})
        .doc("Addresses kept for claims, by the claim's name.");
    v.field("prefix", &S::prefix).maximum(128).doc("Prefix length that goes with an address.");
    v.field("gateway", &S::gateway).pattern(kAddressPattern).doc("Gateway that goes with an address.");
    v.field("dnsServers", &S::dnsServers)
        .itemSchema("pattern", json::Value(kAddressPattern))
        .doc("DNS servers that go with an address.");
    v.field("namePrefix", &S::namePrefix).required().minLength(1).doc("Begins the names of IPAddress objects.");
  }
  friend bool operator==(const IPPoolSpec&, const IPPoolSpec&) = default;
};

struct IPPoolStatus {
  std::optional<base::WallTime> lastUpdated;
  std::map<std::string, std::string> indexes;  // claim name -> address

  static void describe(auto& v) {
    v.field("lastUpdated", &IPPoolStatus::lastUpdated).doc("Time of the last change of the addresses in use.");
    v.field("indexes", &IPPoolStatus::indexes)
        .schema("additionalProperties", json::Object{{"type", "string"}, {"pattern", json::Value(kAddressPattern)}})
        .doc("Addresses in use, by the claim's name.");
  }
  friend bool operator==(const IPPoolStatus&, const IPPoolStatus&) = default;
};

struct IPPool {
  kube::ObjectMeta metadata;
  IPPoolSpec spec;
  IPPoolStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("Addresses to give out to claims.");
    v.field("metadata", &IPPool::metadata);
    v.field("spec", &IPPool::spec);
    v.field("status", &IPPool::status);
  }
  friend bool operator==(const IPPool&, const IPPool&) = default;
};

}  // namespace ingot::api::ipam

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::ipam::IPPool>();
