// networkData.links of a Metal3DataTemplate (spec/capm3.md §3.4).
#pragma once

#include "api/capm3/shared.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ingot::api::capm3::v1beta1 {

inline json::FieldOptions& mtuOf(json::FieldOptions&& field) {
  return field.maximum(9000).defaultTo(1500).doc("MTU of the interface.");
}

// An annotation of an object that belongs to the machine; absent when `object` is empty.
struct FromAnnotation {
  std::string object, annotation;

  static void describe(auto& v) {
    templateObject(v.field("object", &FromAnnotation::object)).required();
    v.field("annotation", &FromAnnotation::annotation).required().doc("Annotation whose value is taken.");
  }
  friend bool operator==(const FromAnnotation&, const FromAnnotation&) = default;
};

// One of the three.
struct LinkMac {
  std::optional<std::string> string, fromHostInterface;
  std::optional<FromAnnotation> fromAnnotation;

  static void describe(auto& v) {
    v.field("string", &LinkMac::string).doc("MAC address, given literally.");
    v.field("fromHostInterface", &LinkMac::fromHostInterface).doc("NIC of the host that has the address.");
    v.field("fromAnnotation", &LinkMac::fromAnnotation).doc("Annotation that holds the address.");
  }
  friend bool operator==(const LinkMac&, const LinkMac&) = default;
};

struct EthernetLink {
  std::string type, id, name;
  std::int64_t mtu = 0;  // the API server fills in 1500
  std::optional<LinkMac> macAddress;

  static void describe(auto& v) {
    ethernetType(v.field("type", &EthernetLink::type)).required();
    v.field("id", &EthernetLink::id).required().doc("Name of the link in this document.");
    linkName(v.field("name", &EthernetLink::name));
    mtuOf(v.field("mtu", &EthernetLink::mtu));
    v.field("macAddress", &EthernetLink::macAddress).required().doc("Source of the link's MAC address.");
  }
  friend bool operator==(const EthernetLink&, const EthernetLink&) = default;
};

struct BondLink {
  std::string bondMode, bondXmitHashPolicy, id, name;
  std::int64_t mtu = 0;
  std::optional<LinkMac> macAddress;
  std::map<std::string, json::Value> parameters;
  std::optional<std::vector<std::string>> bondLinks;

  static void describe(auto& v) {
    capm3::bondMode(v.field("bondMode", &BondLink::bondMode)).required();
    v.field("bondXmitHashPolicy", &BondLink::bondXmitHashPolicy)
        .always()
        .oneOf({"layer2", "layer3+4", "layer2+3"})
        .doc("Hash policy by which the bond distributes packets over its members.");
    v.field("id", &BondLink::id).required().doc("Name of the link in this document.");
    linkName(v.field("name", &BondLink::name));
    mtuOf(v.field("mtu", &BondLink::mtu));
    v.field("macAddress", &BondLink::macAddress).required().doc("MAC address of the bond.");
    v.field("parameters", &BondLink::parameters).doc("Further parameters of the bond.");
    v.field("bondLinks", &BondLink::bondLinks).always().doc("Ids of the members.");
  }
  friend bool operator==(const BondLink&, const BondLink&) = default;
};

struct VlanLink {
  std::int64_t vlanID = 0;
  std::string id, name;
  std::int64_t mtu = 0;
  std::optional<LinkMac> macAddress;
  std::string vlanLink;

  static void describe(auto& v) {
    v.field("vlanID", &VlanLink::vlanID).maximum(4096).required().doc("VLAN ID.");
    v.field("id", &VlanLink::id).required().doc("Name of the link in this document.");
    linkName(v.field("name", &VlanLink::name));
    mtuOf(v.field("mtu", &VlanLink::mtu));
    v.field("macAddress", &VlanLink::macAddress).required().doc("MAC address of the VLAN's interface.");
    v.field("vlanLink", &VlanLink::vlanLink).required().doc("Id of the link that the VLAN is on.");
  }
  friend bool operator==(const VlanLink&, const VlanLink&) = default;
};

struct NetworkLinks {
  std::vector<EthernetLink> ethernets;
  std::vector<BondLink> bonds;
  std::vector<VlanLink> vlans;

  static void describe(auto& v) {
    v.field("ethernets", &NetworkLinks::ethernets).doc("Physical links.");
    v.field("bonds", &NetworkLinks::bonds).doc("Bonded links.");
    v.field("vlans", &NetworkLinks::vlans).doc("VLAN links.");
  }
  friend bool operator==(const NetworkLinks&, const NetworkLinks&) = default;
};

}  // namespace ingot::api::capm3::v1beta1
