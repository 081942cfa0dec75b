// The parts of Redfish resources that network cards are taken from (spec/bmc.md §17.2).
#pragma once

#include "bmc/redfish/resources.hpp"

namespace ingot::bmc::redfish {

struct IpAddressOf {
  Fact<std::string> address;
  static void describe(auto& v) { v.field("Address", &IpAddressOf::address); }
};

struct Vlan {
  Fact<bool> isEnabled;
  Fact<double> id;
  static void describe(auto& v) {
    v.field("VLANEnable", &Vlan::isEnabled);
    v.field("VLANId", &Vlan::id);
  }
};

struct EthernetInterface {
  Fact<std::string> id, mac, permanentMac, linkStatus;
  Fact<double> megabits;
  Fact<Vlan> vlan;
  Fact<std::vector<IpAddressOf>> ipv4, ipv6;
  static void describe(auto& v) {
    using E = EthernetInterface;
    v.field("Id", &E::id);
    v.field("MACAddress", &E::mac);
    v.field("PermanentMACAddress", &E::permanentMac);
    v.field("LinkStatus", &E::linkStatus);
    v.field("SpeedMbps", &E::megabits);
    v.field("VLAN", &E::vlan);
    v.field("IPv4Addresses", &E::ipv4);
    v.field("IPv6Addresses", &E::ipv6);
  }
};

struct NetworkChassis {
  struct Links {
    std::vector<Link> contains, systems;
    static void describe(auto& v) {
      v.field("Contains", &Links::contains);
      v.field("ComputerSystems", &Links::systems);
    }
  };
  Fact<Link> adapters;
  Fact<Links> links;
  static void describe(auto& v) {
    v.field("NetworkAdapters", &NetworkChassis::adapters);
    v.field("Links", &NetworkChassis::links);
  }
};

struct NetworkAdapter {
  Fact<std::string> id, manufacturer, model;
  Fact<Link> functions, ports, oldPorts;
  Fact<Status> status;
  static void describe(auto& v) {
    using A = NetworkAdapter;
    v.field("Id", &A::id);
    v.field("Manufacturer", &A::manufacturer);
    v.field("Model", &A::model);
    v.field("NetworkDeviceFunctions", &A::functions);
    v.field("Ports", &A::ports);
    v.field("NetworkPorts", &A::oldPorts);
    v.field("Status", &A::status);
  }
};

struct NetworkDeviceFunction {
  struct Ethernet {
    Fact<std::string> mac, permanentMac;
    static void describe(auto& v) {
      v.field("MACAddress", &Ethernet::mac);
      v.field("PermanentMACAddress", &Ethernet::permanentMac);
    }
  };
  // Where its port is told has changed twice.
  struct Links {
    Fact<Link> port, networkPort;
    static void describe(auto& v) {
      v.field("PhysicalPortAssignment", &Links::port);
      v.field("PhysicalNetworkPortAssignment", &Links::networkPort);
    }
  };
  Fact<std::string> id;
  Fact<Ethernet> ethernet;
  Fact<Link> port;
  Fact<Links> links;
  Fact<Status> status;
  static void describe(auto& v) {
    using F = NetworkDeviceFunction;
    v.field("Id", &F::id);
    v.field("Ethernet", &F::ethernet);
    v.field("PhysicalPortAssignment", &F::port);
    v.field("Links", &F::links);
    v.field("Status", &F::status);
  }
};

// Port, and what it was called before.
struct NetworkPort {
  struct LldpReceive {
    Fact<std::string> chassisId, portId, systemName;
    static void describe(auto& v) {
      v.field("ChassisId", &LldpReceive::chassisId);
      v.field("PortId", &LldpReceive::portId);
      v.field("SystemName", &LldpReceive::systemName);
    }
  };
  struct Ethernet {
    Fact<std::vector<std::string>> macs;
    Fact<LldpReceive> lldp;
    static void describe(auto& v) {
      v.field("AssociatedMACAddresses", &Ethernet::macs);
      v.field("LLDPReceive", &Ethernet::lldp);
    }
  };
  Fact<std::string> path, id, linkStatus;
  Fact<Ethernet> ethernet;
  Fact<std::vector<std::string>> addresses;
  Fact<double> gigabits, megabits;
  static void describe(auto& v) {
    using P = NetworkPort;
    v.field("@odata.id", &P::path);
    v.field("Id", &P::id);
    v.field("Ethernet", &P::ethernet);
    v.field("AssociatedNetworkAddresses", &P::addresses);
    v.field("LinkStatus", &P::linkStatus);
    v.field("CurrentSpeedGbps", &P::gigabits);
    v.field("CurrentLinkSpeedMbps", &P::megabits);
  }
};

}  // namespace ingot::bmc::redfish
