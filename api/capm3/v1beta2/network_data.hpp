// networkData of a Metal3DataTemplate: links, networks, services (spec/capm3.md §3.4).
#pragma once

#include "api/capm3/v1beta2/network_links.hpp"

namespace ingot::api::capm3::v1beta2 {

// Absent when `name` is empty.
struct IPPoolReference {
  std::string name, kind, apiGroup;

  static void describe(auto& v) {
    v.field("name", &IPPoolReference::name)
        .requiredButOmitted()
        .minLength(1)
        .maxLength(253)
        .pattern(kDnsNamePattern)
        .doc("Name of the pool.");
    v.field("kind", &IPPoolReference::kind)
        .minLength(1)
        .maxLength(63)
        .pattern("^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$")
        .defaultTo("IPPool")
        .doc("Kind of the pool.");
    v.field("apiGroup", &IPPoolReference::apiGroup)
        .minLength(1)
        .maxLength(253)
        .pattern(kDnsNamePattern)
        .defaultTo("ipam.metal3.io")
        .doc("API group of the pool.");
  }
  friend bool operator==(const IPPoolReference&, const IPPoolReference&) = default;
};

// One of the four.
template <class Family>
struct Gateway {
  std::optional<std::string> string;
  std::string fromIPPool;
  IPPoolReference fromPoolRef;
  FromAnnotation fromPoolAnnotation;

  static void describe(auto& v) {
    v.field("string", &Gateway::string).pattern(Family::pattern).doc("IP address of the gateway, given literally.");
    text(v.field("fromIPPool", &Gateway::fromIPPool)).doc("IPPool whose gateway is taken.");
    v.field("fromPoolRef", &Gateway::fromPoolRef).doc("Pool whose gateway is taken.");
    v.field("fromPoolAnnotation", &Gateway::fromPoolAnnotation).doc("Annotation that names the pool.");
  }
  friend bool operator==(const Gateway&, const Gateway&) = default;
};

template <class Family>
struct NetworkServices {
  std::vector<std::string> dns;
  std::string dnsFromIPPool;

  static void describe(auto& v) {
    v.field("dns", &NetworkServices::dns)
        .listType("set")
        .minItems(1)
        .maxItems(512)
        .itemSchema("pattern", json::Value(Family::pattern))
        .doc("Addresses of DNS servers.");
    text(v.field("dnsFromIPPool", &NetworkServices::dnsFromIPPool)).doc("IPPool whose DNS servers are added.");
  }
  friend bool operator==(const NetworkServices&, const NetworkServices&) = default;
};

template <class Family>
struct NetworkRoute {
  std::string network;
  std::optional<int> prefix;
  Gateway<Family> gateway;
  std::optional<NetworkServices<Family>> services;

  static void describe(auto& v) {
    v.field("network", &NetworkRoute::network)
        .requiredButOmitted()
        .pattern(Family::pattern)
        .doc("Address of the network.");
    int32(v.field("prefix", &NetworkRoute::prefix), 0)
        .maximum(Family::prefixLimit)
        .doc("Prefix length of the destination.");
    v.field("gateway", &NetworkRoute::gateway).required().doc("Address of the gateway that packets are sent to.");
    v.field("services", &NetworkRoute::services).doc("Services of the network.");
  }
  friend bool operator==(const NetworkRoute&, const NetworkRoute&) = default;
};

// A network whose address comes from a pool.
template <class Family>
struct StaticNetwork {
  std::string id, link, ipAddressFromIPPool;
  IPPoolReference fromPoolRef;
  FromAnnotation fromPoolAnnotation;
  std::vector<NetworkRoute<Family>> routes;

  static void describe(auto& v) {
    text(v.field("id", &StaticNetwork::id)).requiredButOmitted().doc("Name of the network in this document.");
    text(v.field("link", &StaticNetwork::link)).requiredButOmitted().doc("Id of the link.");
    text(v.field("ipAddressFromIPPool", &StaticNetwork::ipAddressFromIPPool)).doc("IPPool that gives the address.");
    v.field("fromPoolRef", &StaticNetwork::fromPoolRef).doc("Pool that gives the address.");
    v.field("fromPoolAnnotation", &StaticNetwork::fromPoolAnnotation).doc("Annotation that names the pool.");
    listBy("network", v.field("routes", &StaticNetwork::routes)).doc("Static routes of the network.");
  }
  friend bool operator==(const StaticNetwork&, const StaticNetwork&) = default;
};

// A network that configures itself: DHCP or SLAAC.
template <class Family>
struct DynamicNetwork {
  std::string id, link;
  std::vector<NetworkRoute<Family>> routes;

  static void describe(auto& v) {
    text(v.field("id", &DynamicNetwork::id)).requiredButOmitted().doc("Name of the network in this document.");
    text(v.field("link", &DynamicNetwork::link)).requiredButOmitted().doc("Id of the link.");
    listBy("network", v.field("routes", &DynamicNetwork::routes)).doc("Static routes of the network.");
  }
  friend bool operator==(const DynamicNetwork&, const DynamicNetwork&) = default;
};

struct Networks {
  std::vector<StaticNetwork<Ipv4>> ipv4;
  std::vector<DynamicNetwork<Ipv4>> ipv4DHCP;
  std::vector<StaticNetwork<Ipv6>> ipv6;
  std::vector<DynamicNetwork<Ipv6>> ipv6DHCP, ipv6SLAAC;

  static void describe(auto& v) {
    listBy("id", v.field("ipv4", &Networks::ipv4)).doc("IPv4, address from a pool.");
    listBy("id", v.field("ipv4DHCP", &Networks::ipv4DHCP)).doc("IPv4 by DHCP.");
    listBy("id", v.field("ipv6", &Networks::ipv6)).doc("IPv6, address from a pool.");
    listBy("id", v.field("ipv6DHCP", &Networks::ipv6DHCP)).doc("IPv6 by DHCP.");
    listBy("id", v.field("ipv6SLAAC", &Networks::ipv6SLAAC)).doc("IPv6 by SLAAC.");
  }
  friend bool operator==(const Networks&, const Networks&) = default;
};

struct NetworkData {
  std::optional<NetworkLinks> links;
  std::optional<Networks> networks;
  std::optional<NetworkServices<AnyIp>> services;

  static void describe(auto& v) {
    v.doc("Template of the network data.");
    v.field("links", &NetworkData::links).doc("NICs, bonds, VLANs.");
    v.field("networks", &NetworkData::networks).doc("Networks on the links.");
    v.field("services", &NetworkData::services).doc("Services for all networks.");
  }
  friend bool operator==(const NetworkData&, const NetworkData&) = default;
};

}  // namespace ingot::api::capm3::v1beta2
