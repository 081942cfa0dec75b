// networkData of a Metal3DataTemplate: links, networks, services (spec/capm3.md §3.4).
#pragma once

#include "api/capm3/v1beta1/network_links.hpp"

namespace ingot::api::capm3::v1beta1 {

// core/v1 TypedLocalObjectReference.
struct PoolReference {
  std::optional<std::string> apiGroup;
  std::string kind, name;

  static void describe(auto& v) {
    v.mapType("atomic");
    v.field("apiGroup", &PoolReference::apiGroup).always().doc("API group of the pool.");
    v.field("kind", &PoolReference::kind).required().doc("Kind of the pool.");
    v.field("name", &PoolReference::name).required().doc("Name of the pool.");
  }
  friend bool operator==(const PoolReference&, const PoolReference&) = default;
};

// One of the four.
template <class Family>
struct Gateway {
  std::optional<std::string> string, fromIPPool;
  std::optional<PoolReference> fromPoolRef;
  std::optional<FromAnnotation> fromPoolAnnotation;

  static void describe(auto& v) {
    v.field("string", &Gateway::string).pattern(Family::pattern).doc("IP address of the gateway, given literally.");
    v.field("fromIPPool", &Gateway::fromIPPool).doc("IPPool whose gateway is taken.");
    v.field("fromPoolRef", &Gateway::fromPoolRef).doc("Pool whose gateway is taken.");
    v.field("fromPoolAnnotation", &Gateway::fromPoolAnnotation).doc("Annotation that names the pool.");
  }
  friend bool operator==(const Gateway&, const Gateway&) = default;
};

template <class Family>
struct NetworkServices {
  std::vector<std::string> dns;
  std::optional<std::string> dnsFromIPPool;

  static void describe(auto& v) {
    v.field("dns", &NetworkServices::dns)
        .itemSchema("pattern", json::Value(Family::pattern))
        .doc("Addresses of DNS servers.");
    v.field("dnsFromIPPool", &NetworkServices::dnsFromIPPool).doc("IPPool whose DNS servers are added.");
  }
  friend bool operator==(const NetworkServices&, const NetworkServices&) = default;
};

template <class Family>
struct NetworkRoute {
  std::string network;
  std::int64_t prefix = 0;
  Gateway<Family> gateway;
  NetworkServices<Family> services;

  static void describe(auto& v) {
    v.field("network", &NetworkRoute::network).required().pattern(Family::pattern).doc("Address of the network.");
    v.field("prefix", &NetworkRoute::prefix).maximum(Family::prefixLimit).doc("Prefix length of the destination.");
    v.field("gateway", &NetworkRoute::gateway).required().doc("Address of the gateway that packets are sent to.");
    v.field("services", &NetworkRoute::services).always().doc("Services of the network.");
  }
  friend bool operator==(const NetworkRoute&, const NetworkRoute&) = default;
};

// A network whose address comes from a pool.
template <class Family>
struct StaticNetwork {
  std::string id, link, ipAddressFromIPPool;
  std::optional<PoolReference> fromPoolRef;
  std::optional<FromAnnotation> fromPoolAnnotation;
  std::vector<NetworkRoute<Family>> routes;

  static void describe(auto& v) {
    v.field("id", &StaticNetwork::id).required().doc("Name of the network in this document.");
    v.field("link", &StaticNetwork::link).required().doc("Id of the link.");
    auto pool =
        v.field("ipAddressFromIPPool", &StaticNetwork::ipAddressFromIPPool).doc("IPPool that gives the address.");
    if (std::is_same_v<Family, Ipv6>) pool.requiredButOmitted();
    v.field("fromPoolRef", &StaticNetwork::fromPoolRef).doc("Pool that gives the address.");
    v.field("fromPoolAnnotation", &StaticNetwork::fromPoolAnnotation).doc("Annotation that names the pool.");
    v.field("routes", &StaticNetwork::routes).doc("Static routes of the network.");
  }
  friend bool operator==(const StaticNetwork&, const StaticNetwork&) = default;
};

// A network that configures itself: DHCP or SLAAC.
template <class Family>
struct DynamicNetwork {
  std::string id, link;
  std::vector<NetworkRoute<Family>> routes;

  static void describe(auto& v) {
    v.field("id", &DynamicNetwork::id).required().doc("Name of the network in this document.");
    v.field("link", &DynamicNetwork::link).required().doc("Id of the link.");
    v.field("routes", &DynamicNetwork::routes).doc("Static routes of the network.");
  }
  friend bool operator==(const DynamicNetwork&, const DynamicNetwork&) = default;
};

struct Networks {
  std::vector<StaticNetwork<Ipv4>> ipv4;
  std::vector<DynamicNetwork<Ipv4>> ipv4DHCP;
  std::vector<StaticNetwork<Ipv6>> ipv6;
  std::vector<DynamicNetwork<Ipv6>> ipv6DHCP, ipv6SLAAC;

  static void describe(auto& v) {
    v.field("ipv4", &Networks::ipv4).doc("IPv4, address from a pool.");
    v.field("ipv4DHCP", &Networks::ipv4DHCP).doc("IPv4 by DHCP.");
    v.field("ipv6", &Networks::ipv6).doc("IPv6, address from a pool.");
    v.field("ipv6DHCP", &Networks::ipv6DHCP).doc("IPv6 by DHCP.");
    v.field("ipv6SLAAC", &Networks::ipv6SLAAC).doc("IPv6 by SLAAC.");
  }
  friend bool operator==(const Networks&, const Networks&) = default;
};

struct NetworkData {
  NetworkLinks links;
  Networks networks;
  NetworkServices<AnyIp> services;

  static void describe(auto& v) {
    v.doc("Template of the network data.");
    v.field("links", &NetworkData::links).always().doc("NICs, bonds, VLANs.");
    v.field("networks", &NetworkData::networks).always().doc("Networks on the links.");
    v.field("services", &NetworkData::services).always().doc("Services for all networks.");
  }
  friend bool operator==(const NetworkData&, const NetworkData&) = default;
};

}  // namespace ingot::api::capm3::v1beta1
