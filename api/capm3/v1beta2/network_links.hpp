// networkData.links of a Metal3DataTemplate (spec/capm3.md §3.4).
#pragma once

#include "api/capm3/v1beta2/limits.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ingot::api::capm3::v1beta2 {

// An annotation of an object that belongs to the machine; absent when `object` is empty.
struct FromAnnotation {
  std::string object, annotation;

  static void describe(auto& v) {
    templateObject(v.field("object", &FromAnnotation::object)).requiredButOmitted();
    text(v.field("annotation", &FromAnnotation::annotation))
        .requiredButOmitted()
        .doc("Annotation whose value is taken.");
  }
  friend bool operator==(const FromAnnotation&, const FromAnnotation&) = default;
};

// One of the three.
struct LinkMac {
  std::string string, fromHostInterface;
  std::optional<FromAnnotation> fromAnnotation;

  static void describe(auto& v) {
    text(v.field("string", &LinkMac::string)).doc("MAC address, given literally.");
    text(v.field("fromHostInterface", &LinkMac::fromHostInterface)).doc("NIC of the host that has the address.");
    v.field("fromAnnotation", &LinkMac::fromAnnotation).doc("Annotation that holds the address.");
  }
  friend bool operator==(const LinkMac&, const LinkMac&) = default;
};

struct EthernetLink {
  std::string type, id, name;
  int mtu = 0;  // the API server fills in 1500
  std::optional<LinkMac> macAddress;

  static void describe(auto& v) {
    ethernetType(v.field("type", &EthernetLink::type)).requiredButOmitted();
    text(v.field("id", &EthernetLink::id)).requiredButOmitted().doc("Name of the link in this document.");
    linkName(v.field("name", &EthernetLink::name)).minLength(1);
    v1beta2::mtu(v.field("mtu", &EthernetLink::mtu));
    v.field("macAddress", &EthernetLink::macAddress).requiredButOmitted().doc("Source of the link's MAC address.");
  }
  friend bool operator==(const EthernetLink&, const EthernetLink&) = default;
};

struct BondParameter {
  std::string name;
  json::Value value;  // any JSON

  static void describe(auto& v) {
    text(v.field("name", &BondParameter::name)).requiredButOmitted().doc("Name of the parameter.");
    v.field("value", &BondParameter::value).always().schema("type", "object").doc("Value of the parameter.");
  }
  friend bool operator==(const BondParameter&, const BondParameter&) = default;
};

struct BondLink {
  std::string bondMode, bondXmitHashPolicy, id, name;
  int mtu = 0;
  std::optional<LinkMac> macAddress;
  std::vector<BondParameter> parameters;
  std::optional<std::vector<std::string>> bondLinks;

  static void describe(auto& v) {
    capm3::bondMode(v.field("bondMode", &BondLink::bondMode)).requiredButOmitted();
    v.field("bondXmitHashPolicy", &BondLink::bondXmitHashPolicy)
        .oneOf({"layer2", "layer3+4", "layer2+3"})
        .doc("Hash policy by which the bond distributes packets over its members.");
    text(v.field("id", &BondLink::id)).requiredButOmitted().doc("Name of the link in this document.");
    linkName(v.field("name", &BondLink::name)).minLength(1);
    v1beta2::mtu(v.field("mtu", &BondLink::mtu));
    v.field("macAddress", &BondLink::macAddress).requiredButOmitted().doc("MAC address of the bond.");
    listBy("name", v.field("parameters", &BondLink::parameters))
        .requiredButOmitted()
        .doc("Further parameters of the bond.");
    v.field("bondLinks", &BondLink::bondLinks)
        .listType("set")
        .maxItems(512)
        .itemSchema("minLength", 1)
        .itemSchema("maxLength", 512)
        .doc("Ids of the members.");
  }
  friend bool operator==(const BondLink&, const BondLink&) = default;
};

struct VlanLink {
  std::optional<int> vlanID;
  std::string id, name;
  int mtu = 0;
  std::optional<LinkMac> macAddress;
  std::string vlanLink;

  static void describe(auto& v) {
    int32(v.field("vlanID", &VlanLink::vlanID), 0).maximum(4096).requiredButOmitted().doc("VLAN ID.");
    text(v.field("id", &VlanLink::id)).requiredButOmitted().doc("Name of the link in this document.");
    linkName(v.field("name", &VlanLink::name)).minLength(1);
    v1beta2::mtu(v.field("mtu", &VlanLink::mtu));
    v.field("macAddress", &VlanLink::macAddress).requiredButOmitted().doc("MAC address of the VLAN's interface.");
    text(v.field("vlanLink", &VlanLink::vlanLink)).requiredButOmitted().doc("Id of the link that the VLAN is on.");
  }
  friend bool operator==(const VlanLink&, const VlanLink&) = default;
};

struct NetworkLinks {
  std::vector<EthernetLink> ethernets;
  std::vector<BondLink> bonds;
  std::vector<VlanLink> vlans;

  static void describe(auto& v) {
    listBy("id", v.field("ethernets", &NetworkLinks::ethernets)).maxItems(32).doc("Physical links.");
    listBy("id", v.field("bonds", &NetworkLinks::bonds)).doc("Bonded links.");
    listBy("vlanID", v.field("vlans", &NetworkLinks::vlans)).doc("VLAN links.");
  }
  friend bool operator==(const NetworkLinks&, const NetworkLinks&) = default;
};

}  // namespace ingot::api::capm3::v1beta2
